#include "module/custom.h"

#include <fmt/format.h>

#include <set>
#include <vector>

#include "module/c_files.h"
#include "module/render.h"
#include "module/text.h"

namespace ingot::module {
namespace {

using nlohmann::json;
using program::TensorId;

/// Stands for an array without elements.
constexpr const char* kNull = "NULL";

/// Collects the arrays of one call; each gives its name, or `NULL` for an empty one.
class Arrays {
  public:
    std::string add(const std::string& name, const char* type,
                    const std::vector<std::string>& values) {
        if (values.empty()) return kNull;
        constexpr std::size_t kPerRow = 12;
        std::string text;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i != 0) text += i % kPerRow == 0 ? ",\n    " : ", ";
            text += values[i];
        }
        if (values.size() > kPerRow) text = "\n    " + text + "\n";
        list_.push_back({{"array", name}, {"type", type}, {"values", text}});
        return name;
    }

    json list() const { return list_; }

  private:
    json list_ = json::array();
};

template <typename Integer>
std::vector<std::string> numbers(const std::vector<Integer>& values) {
    std::vector<std::string> result;
    result.reserve(values.size());
    for (const Integer value : values) result.push_back(literal(std::int64_t{value}));
    return result;
}

std::vector<std::string> floats(const std::vector<float>& values) {
    std::vector<std::string> result;
    result.reserve(values.size());
    for (const float value : values) result.push_back(literal(double{value}, "float"));
    return result;
}

/// The values of the members of `<p>_operand_t`.
json operand(const Emission& emission, const std::optional<TensorId>& id, const std::string& stem,
             Arrays& arrays) {
    if (!id) return {{"absent", true}};
    const program::Tensor& tensor = emission.program().tensor(*id);
    const ir::Quantization& q = tensor.quantization;
    return {{"absent", false},
            {"has_data", tensor.size != 0},
            {"enumerator", emission.enumerator(*id)},
            {"size", tensor.size},
            {"type", ir::name(tensor.type)},
            {"rank", tensor.shape.size()},
            {"shape", arrays.add(stem + "_shape", "int32_t", numbers(tensor.shape))},
            {"num_scales", q.scales.size()},
            {"scales", arrays.add(stem + "_scales", "float", floats(q.scales))},
            {"zero_points", arrays.add(stem + "_zero_points", "int32_t", numbers(q.zero_points))},
            {"axis", q.axis}};
}

/// Adds the list of inputs or outputs; gives its name.
std::string operands(const Emission& emission, const std::string& kind,
                     const std::vector<std::optional<TensorId>>& ids, Arrays& arrays, json& lists) {
    if (ids.empty()) return kNull;
    json list = json::array();
    for (std::size_t i = 0; i < ids.size(); ++i) {
        list.push_back(operand(emission, ids[i], fmt::format("{}_{}", kind, i), arrays));
    }
    lists.push_back({{"kind", kind}, {"operands", std::move(list)}});
    return kind + "s";
}

}  // namespace

std::string custom_function(const Emission& emission, const program::CustomCall& call) {
    return emission.prefix() + "_custom_" + call.function;
}

json custom_call(const Emission& emission, const program::CustomCall& call) {
    Arrays arrays;
    json lists = json::array();
    const std::string inputs = operands(emission, "input", call.inputs, arrays, lists);
    const std::string outputs = operands(emission, "output", call.outputs, arrays, lists);
    const std::string options = arrays.add("options", "uint8_t", numbers(call.options));
    return {{"function", custom_function(emission, call)},
            {"arrays", arrays.list()},
            {"has_arrays", !arrays.list().empty()},
            {"lists", std::move(lists)},
            {"num_inputs", call.inputs.size()},
            {"inputs", inputs},
            {"num_outputs", call.outputs.size()},
            {"outputs", outputs},
            {"options", options},
            {"options_size", call.options.size()}};
}

void add_custom_operators(const Emission& emission, support::FileSet& files) {
    json data = emission.base();
    data["functions"] = json::array();
    std::set<std::string> seen;
    for (const program::Step& step : emission.program().steps) {
        if (!step.custom || !seen.insert(step.custom->function).second) continue;
        data["functions"].push_back({{"function", custom_function(emission, *step.custom)},
                                     {"name", comment_text(step.custom->name)}});
    }
    if (seen.empty()) return;
    files[emission.header_file("custom")] = render("templates/c/custom.h.mustache", data);
    files[emission.source_file("custom")] = render("templates/c/custom.c.mustache", data);
}

}  // namespace ingot::module
