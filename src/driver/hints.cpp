#include "driver/hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "memory/budget.h"

namespace ingot::driver {
namespace {

using memory::MemoryPlan;
using memory::Region;
using program::Role;

using BytesByMemory = std::map<std::string, std::uint64_t>;

constexpr std::uint64_t kSmall = 1024;  // bytes: constants up to this size stay in fast memory

BytesByMemory used(const MemoryPlan& plan) {
    BytesByMemory bytes;
    for (const Region& region : plan.regions) {
        bytes[region.memory] += region.size;
        if (region.staged()) bytes[region.source_memory] += region.size;
    }
    return bytes;
}

config::Rule constant_rule(const std::string& memory) {
    config::Rule rule;
    rule.type = "CONSTANT";
    rule.memory = {memory};
    rule.constant_destination_memory = {memory};
    return rule;
}

class Trials {
  public:
    Trials(const Compilation& c, std::span<const std::uint8_t> model)
        : c_(c), model_(model), options_(plan_options(c.config, {})), used_(used(c.plan)) {}

    std::vector<report::Hint> run() {
        overwritable_inputs();
        planner();
        constants();
        budgets();
        transforms();
        return std::move(hints_);
    }

  private:
    std::uint64_t bytes(const BytesByMemory& used, const std::string& memory) const {
        const auto found = used.find(memory);
        return found == used.end() ? 0 : found->second;
    }

    // A hint for the memory in which the other plan saves most; nothing when it saves nowhere.
    void compare(const MemoryPlan& other, const std::string& kind, const std::string& what,
                 const std::string& setting) {
        const BytesByMemory others = used(other);
        report::Hint hint;
        hint.kind = kind;
        hint.setting = setting;
        for (const auto& [memory, now] : used_) {
            const std::uint64_t then = bytes(others, memory);
            if (then >= now || now - then <= hint.saves) continue;
            hint.saves = now - then;
            hint.memory = memory;
        }
        if (hint.saves == 0) return;
        hint.message = fmt::format("{}: {} would need {} bytes in place of {}", what, hint.memory,
                                   bytes(others, hint.memory), bytes(used_, hint.memory));
        hints_.push_back(std::move(hint));
    }

    void try_plan(const memory::PlanOptions& options, const std::string& kind,
                  const std::string& what, const std::string& setting) {
        try {
            support::Diagnostics unheard;
            compare(memory::plan(c_.program, c_.platform, options, unheard), kind, what, setting);
        } catch (const support::Failure&) {
            // It doesn't fit that way: no hint.
        }
    }

    void overwritable_inputs() {
        if (options_.inputs_overwritable) return;
        memory::PlanOptions options = options_;
        options.inputs_overwritable = true;
        try_plan(options, "inputs-overwritable", "a run may use the inputs' memory",
                 "model: {inputs_overwritable: true}");
    }

    void planner() {
        if (options_.memory.planner == config::Planner::best) return;
        memory::PlanOptions options = options_;
        options.memory.planner = config::Planner::best;
        try_plan(options, "planner", "the other planner packs closer", "memory: {planner: best}");
    }

    // The memory that keeps constants without power: the first in the platform's order, else the
    // first that there is.
    std::string storage() const {
        std::vector<std::string> names = c_.platform.order[2];
        for (const platforms::Memory& memory : c_.platform.memories) names.push_back(memory.name);
        for (const std::string& name : names) {
            const platforms::Memory* memory = c_.platform.find(name);
            if (memory != nullptr && !memory->is_volatile && !memory->code_only) return name;
        }
        return "";
    }

    // Constants in RAM: the region that is largest there, or nothing.
    const Region* constants_in_ram() const {
        const Region* largest = nullptr;
        for (const Region& region : c_.plan.regions) {
            const platforms::Memory* memory = c_.platform.find(region.memory);
            if (region.role != Role::constant || memory == nullptr || !memory->is_volatile)
                continue;
            if (largest == nullptr || region.size > largest->size) largest = &region;
        }
        return largest;
    }

    void constants() {
        const Region* region = constants_in_ram();
        const std::string target =
            region != nullptr && region->staged() ? region->source_memory : storage();
        if (region == nullptr || target.empty() || target == region->memory) return;
        memory::PlanOptions options = options_;
        options.memory.tensors.push_back(constant_rule(target));
        const std::string in_place = fmt::format(
            "type: constant, attributes: {{memory: {0}, constant_destination_memory: {0}}}",
            target);
        try_plan(
            options, region->staged() ? "staging" : "constants-in-ram",
            fmt::format("constants are read where they are stored, in {}, which is slower", target),
            fmt::format("memory: {{tensors: [{{{}}}]}}", in_place));
        config::Rule small = constant_rule(region->memory);
        if (region->staged()) small.memory = {region->source_memory};
        small.max_size = kSmall;
        options.memory.tensors.push_back(small);
        try_plan(
            options, "big-constants",
            fmt::format("only constants of up to {} bytes are read from {}", kSmall,
                        region->memory),
            fmt::format("memory: {{tensors: [{{{}}}, {{type: constant, attributes: {{memory: {}, "
                        "constant_destination_memory: {}, max_size: {}}}}}]}}",
                        in_place, small.memory->front(), region->memory, kSmall));
    }

    // Constraints that made tensors go elsewhere: what they would have to be.
    void budgets() {
        memory::PlanOptions options = options_;
        options.ignore_budgets = true;
        support::Diagnostics unheard;
        const BytesByMemory wanted = used(memory::plan(c_.program, c_.platform, options, unheard));
        for (const platforms::Memory& memory : c_.platform.memories) {
            const auto budget = memory::budget(memory, c_.config.memory.constraints);
            if (!budget || bytes(wanted, memory.name) <= *budget) continue;
            const std::uint64_t needed = bytes(wanted, memory.name);
            const bool there = !memory.size || needed <= *memory.size;
            hints_.push_back(
                {"budget",
                 fmt::format("all that wants to be in {} needs {} bytes of it, {} more than its "
                             "budget",
                             memory.name, needed, needed - *budget),
                 memory.name, 0, false,
                 there ? fmt::format("memory: {{constraints: [{{name: {}, max_size: {}}}]}}",
                                     memory.name, needed)
                       : ""});
        }
    }

    // Transforms that are off and would be on by default: converts again with each of them.
    void transforms() {
        for (const passes::Pass* pass : passes::registry()) {
            const auto done =
                std::find_if(c_.passes.begin(), c_.passes.end(),
                             [&](const auto& result) { return result.name == pass->name; });
            if (done == c_.passes.end() || done->enabled || !pass->on_by_default) continue;
            const std::string name(pass->name);
            config::Config config = c_.config;
            config.transforms.push_back({name, true, {}, {}});
            try {
                support::Diagnostics unheard;
                compare(compile(config, model_, c_.model_file, {}, unheard).plan, "transform",
                        fmt::format("the transform {} is off", name),
                        fmt::format("transforms: [{{name: {}, enabled: true}}]", name));
            } catch (const support::Failure&) {
                // It doesn't fit that way: no hint.
            }
        }
    }

    const Compilation& c_;
    std::span<const std::uint8_t> model_;
    memory::PlanOptions options_;
    BytesByMemory used_;
    std::vector<report::Hint> hints_;
};

}  // namespace

std::vector<report::Hint> hints(const Compilation& compilation,
                                std::span<const std::uint8_t> model) {
    return Trials(compilation, model).run();
}

}  // namespace ingot::driver
