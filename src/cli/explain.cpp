#include "cli/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "report/spills.h"
#include "support/suggest.h"
#include "support/utf8.h"

namespace ingot::cli {
namespace {

using driver::Compilation;

constexpr std::size_t kLongestName = 80;

std::string place_text(const Compilation& c, program::TensorId id) {
    const auto& placement = c.plan.placements.at(id);
    if (!placement) return "not in the module";
    const memory::Region& region = c.plan.regions.at(placement->region);
    std::string text =
        fmt::format("{} at offset {} ({})", region.memory, placement->offset, region.enum_name);
    if (region.staged()) text += ", copied from " + region.source_memory;
    return text;
}

// Steps by name; lifetimes begin before the first and end after the last.
std::string lifetime_text(const Compilation& c, const memory::Lifetime& life) {
    const auto count = static_cast<std::int64_t>(c.program.steps.size());
    const auto name = [&](std::int64_t step) -> std::string {
        if (step < 0) return "the start";
        if (step >= count) return "the end";
        return c.program.steps[static_cast<std::size_t>(step)].name;
    };
    return name(life.first) + " to " + name(life.last);
}

std::string explain_tensor(const Compilation& c, program::TensorId id) {
    const program::Tensor& t = c.program.tensor(id);
    const memory::Decision& decision = c.plan.decisions.at(id);
    std::string text = fmt::format("tensor {}", t.id);
    if (!t.name.empty()) text += fmt::format(" \"{}\"", support::printable(t.name, kLongestName));
    text += fmt::format("\n  {} {} {}, {} bytes\n", program::name(t.role), ir::name(t.type),
                        ir::to_text(t.shape), t.size);
    text += "  place:    " + place_text(c, id) + "\n";
    text += "  lifetime: " + lifetime_text(c, c.plan.lifetimes.at(id)) + "\n";
    if (t.view_of) {
        text += fmt::format("  view of:  tensor {}, from byte {} on\n",
                            c.program.tensor(c.program.root(id)).id, c.program.root_offset(id));
    }
    for (const std::string& rule : decision.matched_rules) text += "  matched:  " + rule + "\n";
    text += "  why:      " + (decision.reason.empty() ? "platform order" : decision.reason) + "\n";
    if (c.plan.placements.at(id)) {
        const std::string memory = c.plan.regions.at(c.plan.placements.at(id)->region).memory;
        const std::string spill = report::spill_text(decision, memory);
        if (!spill.empty()) text += "  spilled:  " + spill + "\n";
    }
    return text;
}

void add_tensors(const Compilation& c, const char* label, const std::vector<program::Access>& list,
                 std::string& text) {
    for (const program::Access& access : list) {
        text += fmt::format("  {:<9} tensor {}: {}\n", label, c.program.tensor(access.tensor).id,
                            place_text(c, access.tensor));
    }
}

// Where code goes that a rule places; nothing for other code.
std::string code_text(const std::map<std::string, memory::CodePlacement>& placed,
                      const std::string& name) {
    const auto found = placed.find(name);
    if (found == placed.end()) return {};
    return fmt::format(", code in {} ({})", found->second.memory, found->second.reason);
}

// Where a step runs when that isn't its turn in the model.
std::string turn_text(const Compilation& c, const program::Step& step) {
    if (!c.order || !c.order->taken) return {};
    std::size_t turn = 1;
    std::size_t model_turn = 1;
    for (const program::Step& other : c.program.steps) {
        if (&other < &step) ++turn;
        if (other.op_index < step.op_index) ++model_turn;
    }
    if (turn == model_turn) return {};
    return fmt::format(
        "  order:    runs as number {} of {}, in the model as number {}; peak {} bytes in place of "
        "{}{}\n",
        turn, c.program.steps.size(), model_turn, c.order->order.peak, c.order->order.model_peak,
        c.order->order.optimal() ? ", proven least" : "");
}

std::string explain_step(const Compilation& c, const program::Step& step) {
    std::string text = fmt::format("operator {} {} ({}){}\n", step.op_index, step.op_type,
                                   step.name, code_text(c.plan.code.operators, step.name));
    for (const program::Call& call : step.calls) {
        text += "  kernel:   " + call.kernel->name +
                code_text(c.plan.code.kernels, call.kernel->name) + "\n";
    }
    if (step.is_view()) text += "  kernel:   none, it is a view\n";
    if (step.custom) {
        text += fmt::format("  kernel:   the application's function {}_custom_{}\n",
                            c.config.module.prefix, step.custom->function);
    }
    if (!step.note.empty()) text += "  why:      " + step.note + "\n";
    for (const program::Alternative& lost : step.alternatives) {
        text +=
            fmt::format("  lost:     {}: {} ({:+} bytes of constants, {} more operations)\n",
                        lost.kernel, lost.reason, lost.more_constant_bytes, lost.more_operations);
    }
    text += turn_text(c, step);
    text += fmt::format("  macs:     {}\n", step.macs);
    add_tensors(c, "reads:", step.reads, text);
    add_tensors(c, "constant:", step.constants, text);
    add_tensors(c, "writes:", step.writes, text);
    for (const program::TensorId id : step.scratch) {
        text +=
            fmt::format("  scratch:  tensor {}: {}\n", c.program.tensor(id).id, place_text(c, id));
    }
    return text;
}

}  // namespace

std::string explain_text(const Compilation& c, const std::string& id) {
    std::string text;
    std::vector<std::string> known;
    for (program::TensorId i = 0; i < c.program.tensors.size(); ++i) {
        known.push_back(c.program.tensors[i].id);
        if (known.back() == id) text += explain_tensor(c, i);
    }
    for (const program::Step& step : c.program.steps) {
        known.push_back(step.name);
        if (step.name == id || std::to_string(step.op_index) == id) text += explain_step(c, step);
    }
    if (!text.empty()) return text;
    std::string hint = support::did_you_mean(id, known);
    if (hint.empty()) hint = "'ingot inspect' and -v show the ids";
    throw support::Failure(
        support::ExitStatus::usage, "--explain",
        "the program has no tensor or operator '" + support::printable(id, kLongestName) + "'",
        hint);
}

void tell_placements(Session& session, const Compilation& c) {
    for (program::TensorId id = 0; id < c.program.tensors.size(); ++id) {
        const program::Tensor& t = c.program.tensors[id];
        session.tell(1, fmt::format("tensor {} ({}, {} bytes): {}; {}", t.id, program::name(t.role),
                                    t.size, place_text(c, id), c.plan.decisions.at(id).reason));
    }
    for (const program::Step& step : c.program.steps) {
        session.tell(2, fmt::format("operator {} {}: {} macs; {}", step.op_index, step.name,
                                    step.macs, step.note));
    }
}

}  // namespace ingot::cli
