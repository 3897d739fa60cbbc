#include "module/emission.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "module/text.h"
#include "report/residency.h"

namespace ingot::module {
namespace {

using program::Role;
using program::TensorId;

std::set<std::string> kernel_names(const program::Program& program) {
    std::set<std::string> names;
    for (const program::Step& step : program.steps) {
        for (const program::Call& call : step.calls) names.insert(call.kernel->name);
    }
    return names;
}

std::map<std::string, std::string> kernel_memories(const memory::MemoryPlan& plan) {
    std::map<std::string, std::string> memories;
    for (const auto& [kernel, placement] : plan.code.kernels) memories[kernel] = placement.memory;
    return memories;
}

}  // namespace

Emission::Emission(const ModuleInput& input)
    : input_(input),
      upper_prefix_(upper(input.config->module.prefix)),
      id_(identifier(input.config->module.name)),
      tensors_(program::enumerator_order(*input.program)),
      kernels_(kernel_sources(kernel_names(*input.program), input.config->module.prefix,
                              kernel_memories(*input.plan))) {
    collect_storage();
}

void Emission::collect_storage() {
    for (std::size_t i = 0; i < plan().regions.size(); ++i) {
        const memory::Region& region = plan().regions[i];
        if (region.role != Role::constant) continue;
        Storage storage;
        storage.region = i;
        storage.symbol =
            region.staged() ? report::source_symbol(region) : report::runtime_symbol(region);
        storage.memory = region.source_memory;
        storage.bytes = region.contents(program(), plan());
        storage.in_module = allocated() || region.staged();
        storage.sidecar = report::sidecar_file(region, allocated());
        storage_.push_back(std::move(storage));
    }
}

std::string Emission::source_file(const std::string& stem) const {
    return "src/" + prefix() + "_" + stem + ".c";
}

std::string Emission::header_file(const std::string& stem) const {
    return "includes-api/" + prefix() + "_" + stem + ".h";
}

std::string Emission::enumerator(TensorId id) const {
    return prefix() + "_tensor_" + program().tensor(id).id;
}

const memory::Placement& Emission::placement(TensorId id) const {
    const auto& placement = plan().placements.at(id);
    if (!placement) throw std::logic_error("tensor without a place: " + program().tensor(id).id);
    return *placement;
}

const memory::Region& Emission::region_of(TensorId id) const {
    return plan().regions.at(placement(id).region);
}

bool Emission::preserved(TensorId input) const {
    // Not when a kernel writes through a view of it, or another tensor has some of its bytes.
    for (const program::Step& step : program().steps) {
        for (const program::Access& access : step.writes) {
            const bool same = program().root(access.tensor) == program().root(input);
            if (same && !step.is_view()) return false;
        }
    }
    const memory::Placement& place = placement(input);
    const std::size_t end = place.offset + program().tensor(input).size;
    return std::none_of(tensors_.begin(), tensors_.end(), [&](TensorId other) {
        if (program().root(other) == program().root(input)) return false;
        const memory::Placement& its = placement(other);
        return its.region == place.region && its.offset < end &&
               place.offset < its.offset + program().tensor(other).size;
    });
}

bool Emission::reserves(const memory::Region& region) const {
    return allocated() && (region.role != Role::constant || region.staged());
}

std::set<std::string> Emission::arena_memories() const {
    std::set<std::string> memories;
    for (const memory::Region& region : plan().regions) {
        if (reserves(region)) memories.insert(region.memory);
    }
    return memories;
}

std::set<std::string> Emission::constant_memories() const {
    std::set<std::string> memories;
    for (const Storage& storage : storage_) memories.insert(storage.memory);
    return memories;
}

std::string Emission::arena_file(const std::string& memory) const {
    return source_file(arena_memories().size() < 2 ? "tensors" : "arenas_" + memory);
}

std::string Emission::constants_file(const std::string& memory) const {
    return source_file(constant_memories().size() < 2 ? "constants" : "constants_" + memory);
}

bool Emission::nonvolatile(const std::string& memory) const {
    const platforms::Memory* found = platform().find(memory);
    return found != nullptr && !found->is_volatile;
}

std::string Emission::code_macro(const program::Step& step) const {
    const auto placed = plan().code.operators.find(step.name);
    if (placed == plan().code.operators.end()) return {};
    return upper_prefix_ + "_PUT_CODE_IN_" + upper(placed->second.memory);
}

std::set<std::string> Emission::code_memories() const {
    std::set<std::string> memories = {"itcm"};
    for (const auto& placed : plan().code.operators) memories.insert(placed.second.memory);
    return memories;
}

std::string Emission::placement_macro(const std::string& memory, bool initialised) const {
    return upper_prefix_ + "_PUT_IN_" + upper(memory) + (initialised ? "_INIT" : "");
}

bool Emission::staged() const {
    return std::any_of(plan().regions.begin(), plan().regions.end(),
                       [](const memory::Region& region) { return region.staged(); });
}

nlohmann::json Emission::base() const {
    const auto extent = [this](std::size_t count, const char* name) {
        return count == 0 ? std::string("1") : prefix() + name;
    };
    return {{"prefix", prefix()},
            {"PREFIX", upper_prefix_},
            {"module", comment_text(config().module.name)},
            {"model", comment_text(input_.model_name)},
            {"allocated", allocated()},
            {"staged", staged()},
            {"auto_hydrate", staged() && config().memory.auto_hydrate_constants},
            {"straight", config().module.schedule == config::Schedule::straight},
            {"num_inputs", program().inputs.size()},
            {"num_outputs", program().outputs.size()},
            {"num_tensors", tensors_.size()},
            {"num_regions", plan().regions.size()},
            {"has_custom", !program::runs_on_host(program())},
            {"has_tensors", !tensors_.empty()},
            {"has_regions", !plan().regions.empty()},
            {"inputs_extent", extent(program().inputs.size(), "_num_inputs")},
            {"outputs_extent", extent(program().outputs.size(), "_num_outputs")},
            {"tensors_extent", extent(tensors_.size(), "_num_tensors")},
            {"regions_extent", extent(plan().regions.size(), "_num_arena_buffers")}};
}

}  // namespace ingot::module
