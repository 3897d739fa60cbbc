#include "driver/hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string>

#include "driver/ordered_plan.h"
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

// A rule that stores constants in one memory and has them read from another, `more` attributes.
std::string constant_rule(const std::string& stored, const std::string& read,
                          const std::string& more = "") {
    return fmt::format(
        "{{type: constant, attributes: {{memory: {}, constant_destination_memory: {}{}}}}}", stored,
        read, more);
}

// Another setting may want another order of operators: it begins where the model does.
program::Program in_model_order(const program::Program& program) {
    std::vector<std::size_t> steps(program.steps.size());
    std::iota(steps.begin(), steps.end(), std::size_t{0});
    std::stable_sort(steps.begin(), steps.end(), [&](std::size_t a, std::size_t b) {
        return program.steps[a].op_index < program.steps[b].op_index;
    });
    return memory::reordered(program, steps);
}

class Trials {
  public:
    Trials(const Compilation& c, std::span<const std::uint8_t> model)
        : c_(c), model_(model), model_order_(in_model_order(c.program)), used_(used(c.plan)) {}

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
                 const config::FlagValue& setting) {
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

    // The plan that the setting gives: exactly what the hint names is what is tried.
    memory::MemoryPlan plan_with(const config::FlagValue& setting) const {
        config::Config config = c_.config;
        config::set(config, setting);
        support::Diagnostics unheard;
        memory::PlanOptions options = plan_options(config, {});
        options.offline = c_.offline;
        return ordered_plan(model_order_, c_.platform, options, unheard).plan;
    }

    void try_setting(const std::string& kind, const std::string& what,
                     const config::FlagValue& setting) {
        try {
            compare(plan_with(setting), kind, what, setting);
        } catch (const support::Failure&) {
            // It doesn't fit that way: no hint.
        }
    }

    // A list of the configuration, the user's own entries kept, with more behind them.
    config::FlagValue extended(const std::string& key, const std::vector<std::string>& more) const {
        const auto own = c_.config.entries.find(key);
        return {key, config::flow_list(
                         own == c_.config.entries.end() ? std::vector<std::string>{} : own->second,
                         more)};
    }

    void overwritable_inputs() {
        if (c_.config.model.inputs_overwritable) return;
        try_setting("inputs-overwritable", "a run may use the inputs' memory",
                    {"model.inputs_overwritable", "true"});
    }

    void planner() {
        if (c_.config.memory.planner == config::Planner::best) return;
        try_setting("planner", "the other planner packs closer", {"memory.planner", "best"});
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
        const std::string in_place = constant_rule(target, target);
        try_setting(region->staged() ? "staging" : "constants-in-ram",
                    fmt::format("with constants read where they are stored, in {}, which is slower",
                                target),
                    extended("memory.tensors", {in_place}));
        const std::string small =
            constant_rule(region->staged() ? region->source_memory : region->memory, region->memory,
                          fmt::format(", max_size: {}", kSmall));
        try_setting("big-constants",
                    fmt::format("with only constants of up to {} bytes read from {}", kSmall,
                                region->memory),
                    extended("memory.tensors", {in_place, small}));
    }

    // Constraints that made tensors go elsewhere: what they would have to be.
    void budgets() {
        memory::PlanOptions options = plan_options(c_.config, {});
        options.offline = c_.offline;
        options.ignore_budgets = true;
        support::Diagnostics unheard;
        const BytesByMemory wanted = used(memory::plan(c_.program, c_.platform, options, unheard));
        for (const platforms::Memory& memory : c_.platform.memories) {
            const auto budget = memory::budget(memory, c_.config.memory.constraints);
            const std::uint64_t needed = bytes(wanted, memory.name);
            if (!budget || needed <= *budget) continue;
            hints_.push_back(
                {"budget",
                 fmt::format("all that wants to be in {} needs {} bytes of it, {} more than its "
                             "budget",
                             memory.name, needed, needed - *budget),
                 memory.name, 0, false, sufficient_budget(memory, needed)});
        }
    }

    // The constraints with another one for this memory; nothing when that isn't enough, or isn't
    // there.
    config::FlagValue sufficient_budget(const platforms::Memory& memory,
                                        std::uint64_t needed) const {
        if (memory.size && needed > *memory.size) return {};
        std::vector<std::string> list;
        for (const config::MemoryConstraint& given : c_.config.memory.constraints) {
            list.push_back(fmt::format("{{name: {}, max_size: {}}}", given.name,
                                       given.name == memory.name ? needed : given.max_size));
        }
        const config::FlagValue setting = {"memory.constraints", config::flow_list(list, {})};
        try {
            const memory::MemoryPlan plan = plan_with(setting);
            const bool enough = std::none_of(
                plan.decisions.begin(), plan.decisions.end(),
                [&](const auto& decision) { return decision.spilled_from == memory.name; });
            return enough ? setting : config::FlagValue{};
        } catch (const support::Failure&) {
            return {};
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
            const config::FlagValue setting =
                extended("transforms", {fmt::format("{{name: {}, enabled: true}}", name)});
            config::set(config, setting);
            try {
                support::Diagnostics unheard;
                compare(compile(config, model_, c_.model_file, {}, unheard).plan, "transform",
                        fmt::format("the transform {} is off", name), setting);
            } catch (const support::Failure&) {
                // It doesn't fit that way: no hint.
            }
        }
    }

    const Compilation& c_;
    std::span<const std::uint8_t> model_;
    const program::Program model_order_;
    BytesByMemory used_;
    std::vector<report::Hint> hints_;
};

}  // namespace

std::vector<report::Hint> hints(const Compilation& compilation,
                                std::span<const std::uint8_t> model) {
    return Trials(compilation, model).run();
}

}  // namespace ingot::driver
