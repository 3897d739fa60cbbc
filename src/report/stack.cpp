#include "report/stack.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/embedded.h"

namespace ingot::report {
namespace {

using nlohmann::json;

// A row's figure for a core; for others the largest.
std::uint64_t figure(const json& row, const std::string& core) {
    if (row.contains(core)) return row.at(core);
    std::uint64_t largest = 0;
    for (const json& bytes : row) largest = std::max(largest, bytes.get<std::uint64_t>());
    return largest;
}

}  // namespace

std::optional<StackFigure> stack_figure(const program::Program& program, std::string_view cpu) {
    const json table = json::parse(support::embedded_file("kernels/stack.json"));
    const json& kernels = table.at("kernels");
    const json& module = table.at("module");
    const std::string core(cpu);
    StackFigure result;
    result.core = module.at("run").contains(core) ? core : "generic";
    result.compiler = table.at("compiler");
    result.flags = table.at("flags");
    result.bytes = figure(module.at("init"), core);
    result.deepest = "init";
    const std::uint64_t around = figure(module.at("run"), core);
    for (const program::Step& step : program.steps) {
        if (step.custom) {
            // Its operands are listed on the stack, because their data is known at run time only.
            const std::uint64_t bytes =
                around + figure(module.at("custom"), core) +
                table.at("operand").get<std::uint64_t>() *
                    (step.custom->inputs.size() + step.custom->outputs.size());
            result.not_counted.push_back(step.custom->name);
            if (bytes > result.bytes) {
                result.bytes = bytes;
                result.deepest = "operator " + std::to_string(step.op_index);
            }
        }
        for (const program::Call& call : step.calls) {
            const auto row = kernels.find(call.kernel->name);
            if (row == kernels.end()) return std::nullopt;
            const std::uint64_t bytes = around + figure(*row, core);
            if (bytes <= result.bytes) continue;
            result.bytes = bytes;
            result.deepest = call.kernel->name;
        }
    }
    std::sort(result.not_counted.begin(), result.not_counted.end());
    result.not_counted.erase(std::unique(result.not_counted.begin(), result.not_counted.end()),
                             result.not_counted.end());
    return result;
}

}  // namespace ingot::report
