#include "cli/verify_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "module/text.h"
#include "support/utf8.h"

namespace ingot::cli {
namespace {

using module::grouped;
using nlohmann::json;

constexpr std::size_t kNameLength = 60;

std::string plural(std::uint64_t count, const std::string& word) {
    return grouped(count) + " " + word + (count == 1 ? "" : "s");
}

std::string output_text(const verify::Result& result, std::size_t number) {
    const verify::OutputResult& output = result.outputs[number];
    std::string text = fmt::format("output {}", number);
    if (!output.name.empty()) {
        text += fmt::format(" \"{}\"", support::printable(output.name, kNameLength));
    }
    if (!output.first) {
        if (output.compared == 0 && output.elements == 0 && !result.failure.empty()) {
            return text + ": not compared\n";
        }
        const std::string within =
            output.inexact == 0
                ? ""
                : fmt::format(" within the tolerance ({} not exactly)", grouped(output.inexact));
        return text + fmt::format(": equal{}, {}\n", within, plural(output.compared, "value"));
    }
    const verify::Difference& first = *output.first;
    const std::string sequence =
        result.sequences == 1 ? "" : fmt::format("sequence {}, ", first.sequence);
    return text +
           fmt::format(
               ": {} of {} differ; the first in {}invocation {}, element {}: expected {}, got {}\n",
               grouped(output.wrong), plural(output.compared, "value"), sequence, first.invocation,
               first.element, first.expected, first.got);
}

// Of at least one count: `1,234`, or `1,234 to 1,300` when the calls differ.
std::string range(const std::vector<std::uint64_t>& counts) {
    const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
    return *least == *most ? grouped(*least) : grouped(*least) + " to " + grouped(*most);
}

std::string measured_text(const verify::Measurement& measured) {
    const verify::Sizes& sizes = measured.sizes;
    std::string text = "instructions  not counted\n";
    if (!measured.run_instructions.empty()) {
        text = fmt::format("instructions  {} an inference, {} for init\n",
                           range(measured.run_instructions), range(measured.init_instructions));
    }
    text += fmt::format("code          {} bytes (.text)\n", grouped(sizes.text));
    text += fmt::format("constants     {} bytes (.rodata)\n", grouped(sizes.rodata));
    text += fmt::format("RAM           {} bytes (.data {}, .bss {})\n",
                        grouped(sizes.data + sizes.bss), grouped(sizes.data), grouped(sizes.bss));
    return text + fmt::format("peak stack    {} bytes for a run, {} for init\n",
                              grouped(measured.run_stack), grouped(measured.init_stack));
}

json output_json(const verify::OutputResult& output) {
    json first = nullptr;
    if (output.first) {
        first = {{"sequence", output.first->sequence},
                 {"invocation", output.first->invocation},
                 {"element", output.first->element},
                 {"expected", output.first->expected},
                 {"got", output.first->got}};
    }
    return {{"name", output.name},         {"equal", output.wrong == 0},
            {"compared", output.compared}, {"inexact", output.inexact},
            {"wrong", output.wrong},       {"first_difference", std::move(first)}};
}

json measured_json(const verify::Measurement& measured) {
    return {{"machine", measured.machine},
            {"qemu", measured.qemu},
            {"instructions",
             {{"init", measured.init_instructions}, {"run", measured.run_instructions}}},
            {"sizes",
             {{"text", measured.sizes.text},
              {"rodata", measured.sizes.rodata},
              {"data", measured.sizes.data},
              {"bss", measured.sizes.bss}}},
            {"peak_stack", {{"init", measured.init_stack}, {"run", measured.run_stack}}}};
}

}  // namespace

std::string verify_text(const verify::Result& result) {
    std::string where = result.on;
    if (result.measured) {
        where +=
            fmt::format(" ({} under QEMU {})", result.measured->machine, result.measured->qemu);
    }
    std::string text =
        fmt::format("{}; {}, {}\n", where, result.compiler, fmt::join(result.flags, " "));
    for (std::size_t i = 0; i < result.outputs.size(); ++i) text += output_text(result, i);
    if (result.outputs.empty()) text += "the model has no outputs\n";
    if (result.measured && result.failure.empty()) text += measured_text(*result.measured);
    return text;
}

json verify_json(const verify::Result& result) {
    json outputs = json::array();
    for (const verify::OutputResult& output : result.outputs) {
        outputs.push_back(output_json(output));
    }
    return {{"on", result.on},
            {"compiler", result.compiler},
            {"flags", result.flags},
            {"link_flags", result.link_flags},
            {"sequences", result.sequences},
            {"invocations", result.invocations},
            {"equal", result.equal()},
            {"outputs", std::move(outputs)},
            {"failure", result.failure.empty() ? json(nullptr) : json(result.failure)},
            {"measured", result.measured ? measured_json(*result.measured) : json(nullptr)}};
}

}  // namespace ingot::cli
