// <p>_kernels.{h,c} and the two files of each operator.
#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "module/c_files.h"
#include "module/custom.h"
#include "module/render.h"
#include "module/text.h"

namespace ingot::module {
namespace {

using nlohmann::json;
using program::TensorId;

constexpr std::size_t kFieldIndent = 4;

json texts(const char* key, const std::vector<std::string>& list) {
    json result = json::array();
    for (const std::string& text : list) result.push_back({{key, text}});
    return result;
}

std::string field_text(const program::KernelField& field, const program::FieldValue& value) {
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value)) {
        return "{" + number_rows(*list, kFieldIndent * 2) + "}";
    }
    if (const auto* number = std::get_if<double>(&value)) return literal(*number, field.type);
    const std::int64_t integer = std::get<std::int64_t>(value);
    if (field.type == "int32_t") return literal(integer);
    return literal(static_cast<double>(integer), field.type);
}

/// The descriptor's values, one on a line behind the field's name.
std::string fields_text(const program::Call& call) {
    std::string result;
    const auto& fields = call.kernel->fields;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const std::string comma = i + 1 == fields.size() ? "" : ",\n";
        result += fmt::format("    /* {} */ {}{}", fields[i].name,
                              field_text(fields[i], call.descriptor.at(i)), comma);
    }
    return result;
}

/// `(const int32_t *)(const void *)ctx->tensor_ptrs[aot_tensor_5]`.
std::string argument_text(const Emission& emission, const program::KernelArgument& argument,
                          const std::optional<TensorId>& tensor) {
    if (!tensor) return "NULL";
    const std::string pointer = fmt::format("ctx->tensor_ptrs[{}]", emission.enumerator(*tensor));
    if (argument.type == "int8_t *" || argument.type == "const int8_t *") return pointer;
    const bool constant = argument.type.rfind("const ", 0) == 0;
    return fmt::format("({})({}void *){}", argument.type, constant ? "const " : "", pointer);
}

std::string call_text(const Emission& emission, const program::Call& call,
                      const std::string& descriptor) {
    std::string result =
        fmt::format("{}_kernel_{}(&{}", emission.prefix(), call.kernel->name, descriptor);
    for (std::size_t i = 0; i < call.kernel->arguments.size(); ++i) {
        result += ",\n        " +
                  argument_text(emission, call.kernel->arguments[i], call.arguments.at(i));
    }
    return result + ")";
}

json calls(const Emission& emission, const program::Step& step) {
    json list = json::array();
    for (std::size_t i = 0; i < step.calls.size(); ++i) {
        const program::Call& call = step.calls[i];
        const std::string descriptor =
            step.calls.size() == 1 ? "descriptor" : fmt::format("descriptor_{}", i);
        list.push_back({{"first", i == 0},
                        {"kernel", call.kernel->name},
                        {"descriptor", descriptor},
                        {"fields", fields_text(call)},
                        {"call", call_text(emission, call, descriptor)}});
    }
    return list;
}

json tensor_rows(const Emission& emission, const program::Step& step) {
    json list = json::array();
    std::set<TensorId> seen;
    const auto add = [&](const char* role, TensorId id) {
        if (!seen.insert(id).second) return;
        const program::Tensor& tensor = emission.program().tensor(id);
        std::string facts = fmt::format("{}, {}", type_text(tensor.type, tensor.shape),
                                        quantization_text(tensor.quantization));
        if (tensor.model_index < 0) facts = fmt::format("{} bytes", grouped(tensor.size));
        if (!tensor.name.empty()) facts += "; " + comment_text(tensor.name);
        list.push_back({{"role", role}, {"enumerator", emission.enumerator(id)}, {"facts", facts}});
    };
    const auto state = [&](TensorId id) {
        return emission.program().tensor(id).role == program::Role::persistent;
    };
    for (const auto& access : step.reads)
        add(state(access.tensor) ? "state" : "input", access.tensor);
    for (const auto& access : step.constants) add("constant", access.tensor);
    for (const TensorId id : step.scratch) add("scratch", id);
    for (const auto& access : step.writes) {
        add(state(access.tensor) ? "state" : "output", access.tensor);
    }
    return list;
}

std::string costs_text(const Emission& emission, const program::Step& step) {
    std::uint64_t constants = 0;
    std::uint64_t scratch = 0;
    std::uint64_t touched = 0;
    for (const auto& access : step.constants) {
        constants += emission.program().tensor(access.tensor).size;
        touched += access.touched_bytes;
    }
    for (const auto& access : step.reads) touched += access.touched_bytes;
    for (const auto& access : step.writes) touched += access.touched_bytes;
    for (const TensorId id : step.scratch) scratch += emission.program().tensor(id).size;
    return fmt::format(
        "Costs: {} multiply-accumulates, {} bytes read and written.\n"
        " * Bytes: {} of constants, {} of scratch.",
        grouped(step.macs), grouped(touched), grouped(constants), grouped(scratch));
}

std::string kernels_text(const Emission& emission, const program::Step& step) {
    if (step.custom) return custom_function(emission, *step.custom) + "(), the application's";
    std::string result;
    for (const program::Call& call : step.calls) {
        result += (result.empty() ? "" : ", then ") + call.kernel->name;
    }
    return result;
}

bool uses_math(const program::Step& step) {
    for (const program::Call& call : step.calls) {
        if (std::any_of(call.descriptor.begin(), call.descriptor.end(), needs_math_header)) {
            return true;
        }
    }
    return false;
}

/// A section that is shown with the text, or nothing for an empty one.
json optional_text(const std::string& text) {
    return text.empty() ? json(false) : json(text);
}

}  // namespace

void add_kernels(const Emission& emission, support::FileSet& files) {
    const KernelSources& sources = emission.kernels();
    json data = emission.base();
    data["includes"] = texts("header", sources.header_includes);
    data["parts"] = texts("text", sources.header_parts);
    files[emission.header_file("kernels")] = render("templates/c/kernels.h.mustache", data);
    data["includes"] = texts("header", sources.source_includes);
    data["has_includes"] = !sources.source_includes.empty();
    data["parts"] = texts("text", sources.source_parts);
    files[emission.source_file("kernels")] = render("templates/c/kernels.c.mustache", data);
}

void add_layers(const Emission& emission, support::FileSet& files) {
    for (const program::Step& step : emission.program().steps) {
        json data = emission.base();
        data["name"] = step.name;
        data["GUARD"] = emission.upper_prefix() + "_" + upper(step.name);
        data["op"] = step.op_index;
        data["op_type"] = step.op_type;
        data["has_init"] = step.has_init;
        data["label"] = optional_text(comment_text(step.label));
        data["note"] = optional_text(comment_text(step.note));
        data["tensors"] = tensor_rows(emission, step);
        data["kernels"] = optional_text(kernels_text(emission, step));
        data["costs"] = costs_text(emission, step);
        data["calls"] = calls(emission, step);
        data["code_macro"] = optional_text(emission.code_macro(step));
        data["use_math"] = uses_math(step);
        data["view"] = step.is_view();
        data["custom"] = step.custom ? custom_call(emission, *step.custom) : json(false);
        data["single"] = step.calls.size() == 1;
        data["several"] = step.calls.size() > 1;
        if (step.calls.size() == 1) data["call"] = data["calls"][0]["call"];
        files[emission.header_file(step.name)] = render("templates/c/layer.h.mustache", data);
        files[emission.source_file(step.name)] = render("templates/c/layer.c.mustache", data);
    }
}

}  // namespace ingot::module
