// <p>_common.h, <p>_context.{h,c}, <p>_model.{h,c} and <p>_operators.h.
#include <algorithm>

#include "module/c_files.h"
#include "module/render.h"
#include "module/text.h"
#include "report/residency.h"

namespace ingot::module {
namespace {

using nlohmann::json;

json operators(const Emission& emission) {
    json list = json::array();
    for (const program::Step& step : emission.program().steps) {
        list.push_back({{"op", step.op_index}, {"name", step.name}, {"has_init", step.has_init}});
    }
    return list;
}

/// Persistent tensors and the byte that init fills them with.
json state(const Emission& emission) {
    json list = json::array();
    for (const program::TensorId id : emission.tensors()) {
        const program::Tensor& tensor = emission.program().tensor(id);
        if (tensor.role != program::Role::persistent || tensor.view_of || tensor.size == 0) {
            continue;
        }
        list.push_back({{"enumerator", emission.enumerator(id)},
                        {"byte", tensor.initial_byte},
                        {"size", tensor.size}});
    }
    return list;
}

json hydrations(const Emission& emission) {
    json list = json::array();
    for (const memory::Region& region : emission.plan().regions) {
        if (!region.staged()) continue;
        list.push_back({{"number", list.size()},
                        {"first", list.empty()},
                        {"enum", region.enum_name},
                        {"size", region.size},
                        {"memory", region.memory},
                        {"source_memory", region.source_memory},
                        {"source_symbol", report::source_symbol(region)}});
    }
    return list;
}

void add_io(const Emission& emission, const std::string& kind,
            const std::vector<program::TensorId>& ids, json& list) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
        list.push_back({{"kind", kind}, {"index", i}, {"enumerator", emission.enumerator(ids[i])}});
    }
}

}  // namespace

void add_context(const Emission& emission, support::FileSet& files) {
    json data = emission.base();
    data["io"] = json::array();
    add_io(emission, "input", emission.program().inputs, data["io"]);
    add_io(emission, "output", emission.program().outputs, data["io"]);
    files[emission.header_file("common")] = render("templates/c/common.h.mustache", data);
    files[emission.header_file("context")] = render("templates/c/context.h.mustache", data);
    files[emission.source_file("context")] = render("templates/c/context.c.mustache", data);
}

void add_model(const Emission& emission, support::FileSet& files) {
    const std::vector<program::Step>& steps = emission.program().steps;
    const bool straight = emission.config().module.schedule == config::Schedule::straight;
    json data = emission.base();
    data["operators"] = operators(emission);
    data["table"] = !straight && !steps.empty();
    data["has_init_operators"] = std::any_of(
        steps.begin(), steps.end(), [](const program::Step& step) { return step.has_init; });
    data["state"] = state(emission);
    data["has_state"] = !data["state"].empty();
    data["hydrations"] = hydrations(emission);
    data["use_string"] = emission.staged() || !data["state"].empty();
    files[emission.header_file("operators")] = render("templates/c/operators.h.mustache", data);
    files[emission.header_file("model")] = render("templates/c/model.h.mustache", data);
    files[emission.source_file("model")] = render("templates/c/model.c.mustache", data);
}

}  // namespace ingot::module
