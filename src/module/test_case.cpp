// <p>_test_case.{h,c}: the self-test with its vectors.
#include <fmt/core.h>

#include <cmath>
#include <map>
#include <stdexcept>

#include "module/c_files.h"
#include "module/render.h"
#include "module/text.h"
#include "support/hash.h"

namespace ingot::module {
namespace {

using nlohmann::json;
using program::TensorId;

/// How a type's elements are compared. Types without arithmetic in C are compared as bytes.
struct Comparison {
    std::string type;  ///< names the function
    std::string c_type;
    bool integer = true;
    std::string format;  ///< of printf
    std::string print_type;
    bool by_bytes = false;  ///< the count is the number of bytes
};

Comparison comparison(ir::DataType type) {
    switch (type) {
        case ir::DataType::int8:
            return {"int8", "int8_t", true, "%ld", "long"};
        case ir::DataType::int16:
            return {"int16", "int16_t", true, "%ld", "long"};
        case ir::DataType::int32:
            return {"int32", "int32_t", true, "%ld", "long"};
        case ir::DataType::int64:
            return {"int64", "int64_t", true, "%lld", "long long"};
        case ir::DataType::uint8:
        case ir::DataType::boolean:
            return {"uint8", "uint8_t", true, "%lu", "unsigned long"};
        case ir::DataType::uint16:
            return {"uint16", "uint16_t", true, "%lu", "unsigned long"};
        case ir::DataType::uint32:
            return {"uint32", "uint32_t", true, "%lu", "unsigned long"};
        case ir::DataType::uint64:
            return {"uint64", "uint64_t", true, "%llu", "unsigned long long"};
        case ir::DataType::float32:
            return {"float", "float", false, "", ""};
        case ir::DataType::float64:
            return {"double", "double", false, "", ""};
        default:
            return {"bytes", "uint8_t", true, "%lu", "unsigned long", true};
    }
}

std::string tolerance(const Emission& emission, const Comparison& compare) {
    constexpr double kFloatTolerance = 1e-5;  // relative
    const std::optional<double>& given = emission.config().test.tolerance;
    if (!compare.integer) return literal(given.value_or(kFloatTolerance), "double");
    const double steps = compare.by_bytes ? 0.0 : std::floor(given.value_or(0.0));
    // More than any type's range is as good as no comparison at all.
    const double bounded = std::fmin(std::fmax(steps, 0.0), 9007199254740992.0);
    return fmt::format("{}U", static_cast<std::uint64_t>(bounded));
}

std::string tolerance_text(const std::string& value, bool integer) {
    if (!integer) return " by more than " + value + " of their size";
    return value == "0U" ? "" : " by more than " + value.substr(0, value.size() - 1) + " steps";
}

/// The bytes of one input or output in every invocation.
std::string rows(const std::vector<TestInvocation>& vectors, bool input, std::size_t index,
                 std::size_t size) {
    std::string result;
    for (std::size_t k = 0; k < vectors.size(); ++k) {
        const auto& bytes = (input ? vectors[k].inputs : vectors[k].outputs).at(index);
        if (bytes.size() != size) throw std::logic_error("a test vector of the wrong size");
        result += fmt::format("    {{\n{}\n    }}{}", byte_rows(bytes),
                              k + 1 == vectors.size() ? "" : ",\n");
    }
    return result;
}

/// Vectors of the inputs or outputs; one without bytes needs none (and C has no empty array).
json vectors(const Emission& emission, const std::string& kind, const std::vector<TensorId>& ids) {
    json list = json::array();
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const program::Tensor& tensor = emission.program().tensor(ids[i]);
        if (tensor.size == 0) continue;
        const Comparison compare = comparison(tensor.type);
        list.push_back(
            {{"kind", kind},
             {"index", i},
             {"type", compare.type},
             {"count", compare.by_bytes ? "nbytes" : "size"},
             {"comment", fmt::format("{} {} of each invocation", kind, i)},
             {"rows", rows(emission.input().test_vectors, kind == "input", i, tensor.size)}});
    }
    return list;
}

/// The checksums of constants as the kernels read them.
json checksums(const Emission& emission) {
    json list = json::array();
    for (const Storage& storage : emission.storage()) {
        list.push_back({{"region", emission.plan().regions.at(storage.region).enum_name},
                        {"crc", fmt::format("0x{:08X}U", support::crc32(storage.bytes))}});
    }
    return list;
}

json comparers(const Emission& emission) {
    std::map<std::string, Comparison> used;
    for (const TensorId id : emission.program().outputs) {
        const program::Tensor& tensor = emission.program().tensor(id);
        if (tensor.size == 0) continue;
        const Comparison compare = comparison(tensor.type);
        used.emplace(compare.type, compare);
    }
    json list = json::array();
    for (const auto& [type, compare] : used) {
        const std::string value = tolerance(emission, compare);
        list.push_back(
            {{"type", type},
             {"ctype", compare.c_type},
             {"is_integer", compare.integer},
             {"format", compare.format},
             {"print_type", compare.print_type},
             {"tolerance", value},
             {"largest", type == "float" ? "3.4028234663852886e38" : "1.7976931348623157e308"},
             {"tolerance_text", tolerance_text(value, compare.integer)}});
    }
    return list;
}

}  // namespace

void add_test_case(const Emission& emission, support::FileSet& files) {
    if (emission.input().test_vectors.empty()) {
        throw std::logic_error("a self-test without test vectors");
    }
    json data = emission.base();
    data["invocations"] = emission.input().test_vectors.size();
    data["inputs"] = vectors(emission, "input", emission.program().inputs);
    data["outputs"] = vectors(emission, "output", emission.program().outputs);
    data["has_input_vectors"] = !data["inputs"].empty();
    data["vectors"] = data["inputs"];
    data["vectors"].insert(data["vectors"].end(), data["outputs"].begin(), data["outputs"].end());
    data["comparers"] = comparers(emission);
    data["checksums"] = checksums(emission);
    data["has_checksums"] = !data["checksums"].empty();
    data["hydrate"] = emission.staged() && !emission.config().memory.auto_hydrate_constants;
    files[emission.header_file("test_case")] = render("templates/c/test_case.h.mustache", data);
    files[emission.source_file("test_case")] = render("templates/c/test_case.c.mustache", data);
}

}  // namespace ingot::module
