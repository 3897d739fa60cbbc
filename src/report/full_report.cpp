#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>

#include "memory/budget.h"
#include "report/peak.h"
#include "report/reports.h"
#include "report/spills.h"
#include "report/stack.h"

namespace ingot::report {
namespace {

using memory::MemoryPlan;
using memory::Region;
using nlohmann::json;
using program::Program;
using program::Role;
using program::Step;
using program::TensorId;

using BytesByMemory = std::map<std::string, std::uint64_t>;

class FullReport {
  public:
    FullReport(const Program& program, const MemoryPlan& plan, const ReportOptions& options)
        : program_(program), plan_(plan), options_(options) {}

    json build() {
        json operators = json::array();
        for (const Step& step : program_.steps) operators.push_back(one(step));
        json result = {
            {"arenas", arenas()},
            {"assignment", assignment_report(plan_)},
            {"compiler_version", options_.compiler_version},
            {"memories", memories()},
            {"model", options_.model_name},
            {"module_prefix", options_.prefix},
            {"operators", std::move(operators)},
            {"order", order_report(options_.order)},
            {"platform", options_.platform.name},
            {"schema_version", kReportSchema},
            {"spilled", spilled_report(program_, plan_, options_.platform, options_.constraints)},
            {"stack", stack()},
            {"totals", totals()},
            {"transforms", transforms()}};
        result["hints"] = hints();
        return result;
    }

  private:
    void touch(TensorId id, std::uint64_t bytes, BytesByMemory& touched) const {
        const auto& placement = plan_.placements.at(id);
        if (placement) touched[plan_.regions[placement->region].memory] += bytes;
    }

    json one(const Step& step) {
        BytesByMemory touched;
        std::uint64_t constant_bytes = 0;
        std::uint64_t scratch_bytes = 0;
        for (const program::Access& a : step.reads) touch(a.tensor, a.touched_bytes, touched);
        for (const program::Access& a : step.writes) touch(a.tensor, a.touched_bytes, touched);
        for (const program::Access& a : step.constants) {
            touch(a.tensor, a.touched_bytes, touched);
            constant_bytes += program_.tensor(a.tensor).size;
        }
        for (TensorId id : step.scratch) {
            touch(id, 2 * std::uint64_t{program_.tensor(id).size}, touched);
            scratch_bytes += program_.tensor(id).size;
        }
        macs_ += step.macs;
        for (const auto& [memory, bytes] : touched) touched_[memory] += bytes;
        json kernels = json::array();
        for (const program::Call& call : step.calls) kernels.push_back(call.kernel->name);
        json alternatives = json::array();
        for (const program::Alternative& lost : step.alternatives) {
            alternatives.push_back({{"kernel", lost.kernel},
                                    {"more_constant_bytes", lost.more_constant_bytes},
                                    {"more_operations", lost.more_operations},
                                    {"reason", lost.reason}});
        }
        const auto code = plan_.code.operators.find(step.name);
        const bool placed = code != plan_.code.operators.end();
        return {{"alternatives", std::move(alternatives)},
                {"code_memory", placed ? json(code->second.memory) : json(nullptr)},
                {"constant_bytes", constant_bytes},
                {"id", step.op_index},
                {"kernels", std::move(kernels)},
                {"macs", step.macs},
                {"name", step.name},
                {"note", step.note},
                {"scratch_bytes", scratch_bytes},
                {"touched_bytes", touched},
                {"type", step.op_type}};
    }

    std::uint64_t used(const std::string& memory) const {
        std::uint64_t sum = 0;
        for (const Region& region : plan_.regions) {
            if (region.memory == memory || region.source_memory == memory) sum += region.size;
        }
        return sum;
    }

    // A budget binds when something wanted to be in the memory and had to go elsewhere.
    std::set<std::string> bound_memories() const {
        std::set<std::string> result;
        for (const memory::Decision& decision : plan_.decisions) {
            if (!decision.spilled_from.empty()) result.insert(decision.spilled_from);
        }
        return result;
    }

    // Of all that the kernels read and write there.
    double cost(const platforms::Memory& memory) const {
        const auto touched = touched_.find(memory.name);
        const std::uint64_t bytes = touched == touched_.end() ? 0 : touched->second;
        return static_cast<double>(bytes) * memory.read_cost;
    }

    json memories() const {
        const std::set<std::string> bound = bound_memories();
        json result = json::array();
        for (const platforms::Memory& memory : options_.platform.memories) {
            const auto budget = memory::budget(memory, options_.constraints);
            const bool lowered = budget != memory.size;
            const auto touched = touched_.find(memory.name);
            result.push_back({{"binds", bound.count(memory.name) != 0},
                              {"budget", budget ? json(*budget) : json(nullptr)},
                              {"cost", number(cost(memory))},
                              {"constraint", lowered ? json(*budget) : json(nullptr)},
                              {"name", memory.name},
                              {"size", memory.size ? json(*memory.size) : json(nullptr)},
                              {"touched_bytes", touched == touched_.end() ? 0 : touched->second},
                              {"used", used(memory.name)}});
        }
        return result;
    }

    json arenas() const {
        json result = json::array();
        for (const Region& region : plan_.regions) {
            json entry = {{"enum_name", region.enum_name},
                          {"memory", region.memory},
                          {"role", program::name(region.role)},
                          {"source_memory", region.source_memory},
                          {"used", region.size}};
            if (region.role == Role::scratch) add_scratch(region, entry);
            result.push_back(std::move(entry));
        }
        return result;
    }

    // What the plan is measured by, and the plan that lost against it.
    void add_scratch(const Region& region, json& entry) const {
        entry["lower_bound"] = region.lower_bound;
        entry["overlap_lower_bound"] = region.overlap_lower_bound;
        entry["optimal"] = region.optimal;
        entry["alternatives"] = json::array();
        if (options_.planner != config::Planner::greedy) {
            entry["alternatives"].push_back(
                {{"planner", "greedy"},
                 {"used", region.greedy_size},
                 {"worse_by", static_cast<std::int64_t>(region.greedy_size) -
                                  static_cast<std::int64_t>(region.size)}});
        }
        entry["peak"] = peak_json(region);
    }

    json peak_json(const Region& region) const {
        const Peak at = peak(program_, plan_, region);
        json tensors = json::array();
        for (const TensorId id : at.tensors) {
            tensors.push_back({{"id", program_.tensor(id).id},
                               {"offset", plan_.placements.at(id)->offset},
                               {"size", program_.tensor(id).size}});
        }
        return {{"at", step_text(program_, at.step)},
                {"live_bytes", at.bytes},
                {"tensors", std::move(tensors)}};
    }

    // Those that save most first; what the plan shows and what was tried.
    // For a configuration file: `memory: {planner: best}`.
    static json setting(const config::FlagValue& set) {
        if (set.key.empty()) return nullptr;
        const std::size_t dot = set.key.find('.');
        if (dot == std::string::npos) return set.key + ": " + set.value;
        return set.key.substr(0, dot) + ": {" + set.key.substr(dot + 1) + ": " + set.value + "}";
    }

    // The same for a command line.
    static json flag(const config::FlagValue& set) {
        if (set.key.empty()) return nullptr;
        const bool list = !set.value.empty() && set.value.front() == '[';
        return "--" + set.key + "=" + (list ? "'" + set.value + "'" : set.value);
    }

    json hints() const {
        std::vector<Hint> all = plan_hints(program_, plan_, options_.tensor_rules);
        all.insert(all.end(), options_.hints.begin(), options_.hints.end());
        std::stable_sort(all.begin(), all.end(),
                         [](const Hint& a, const Hint& b) { return a.saves > b.saves; });
        json result = json::array();
        for (const Hint& hint : all) {
            result.push_back({{"at_most", hint.at_most},
                              {"kind", hint.kind},
                              {"memory", hint.memory},
                              {"message", hint.message},
                              {"saves", hint.saves},
                              {"setting", setting(hint.setting)},
                              {"flag", flag(hint.setting)}});
        }
        return result;
    }

    json totals() const {
        std::uint64_t constants = 0;
        std::uint64_t ram = 0;
        std::uint64_t touched = 0;
        for (const Region& region : plan_.regions) {
            if (region.role == Role::constant) constants += region.size;
            if (region.role != Role::constant || region.staged()) ram += region.size;
        }
        for (const auto& [memory, bytes] : touched_) touched += bytes;
        return {{"constant_bytes", constants},
                {"macs", macs_},
                {"operators", program_.steps.size()},
                // Arenas that are written: scratch, state, destinations of staged constants.
                {"written_arena_bytes", ram},
                {"touched_bytes", touched}};
    }

    json stack() const {
        const auto stack = stack_figure(program_, options_.platform.cpu);
        if (!stack) return nullptr;
        return {{"bytes", stack->bytes}, {"compiler", stack->compiler},
                {"core", stack->core},   {"deepest", stack->deepest},
                {"flags", stack->flags}, {"not_counted", stack->not_counted}};
    }

    json transforms() const {
        json result = json::array();
        for (const TransformResult& t : options_.transforms) {
            result.push_back({{"changes", t.changes},
                              {"details", t.details},
                              {"enabled", t.enabled},
                              {"name", t.name},
                              {"removed_bytes", t.removed_bytes},
                              {"removed_operators", t.removed_operators}});
        }
        return result;
    }

    const Program& program_;
    const MemoryPlan& plan_;
    const ReportOptions& options_;
    std::uint64_t macs_ = 0;
    BytesByMemory touched_;
};

}  // namespace

json order_report(const std::optional<OrderChoice>& choice) {
    if (!choice) return nullptr;
    const memory::Order& order = choice->order;
    return {{"least_peak", order.peak},       {"lower_bound", order.lower_bound},
            {"model_peak", order.model_peak}, {"optimal", order.optimal()},
            {"reordered", choice->taken},     {"states", order.states}};
}

json full_report(const Program& program, const MemoryPlan& plan, const ReportOptions& options) {
    return FullReport(program, plan, options).build();
}

}  // namespace ingot::report
