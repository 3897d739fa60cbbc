#include "driver/custom_operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ops/custom.h"
#include "support/suggest.h"

namespace ingot::driver {
namespace {

using config::CustomOperator;
using config::CustomOutput;

/// Longer names would make identifiers that some linkers cut.
constexpr std::size_t kLongestName = 200;

std::string shape_text(const std::vector<std::int64_t>& shape) {
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

std::vector<std::string> type_names() {
    std::vector<std::string> names;
    for (auto type = 0; type <= static_cast<int>(ir::DataType::int4); ++type) {
        if (ir::bits(static_cast<ir::DataType>(type)) == 0) continue;
        names.emplace_back(ir::name(static_cast<ir::DataType>(type)));
    }
    return names;
}

class Checker {
  public:
    Checker(const ir::Graph& graph, support::Diagnostics& diagnostics)
        : graph_(graph), diagnostics_(diagnostics) {
        for (const ir::Operator& op : graph.operators) {
            if (op.type == "CUSTOM") by_name_[op.custom_name].push_back(&op);
        }
    }

    void check(const std::vector<CustomOperator>& declared) {
        for (const CustomOperator& custom : declared) check_one(custom);
        errors_.throw_if_errors(support::ExitStatus::usage);
    }

  private:
    void error(const CustomOperator& custom, const std::string& message,
               const std::string& hint = {}) {
        errors_.error(custom.origin.to_text(), message, hint);
    }

    void check_one(const CustomOperator& custom) {
        check_types(custom);
        const std::string name = ir::printable(custom.name);
        if (!declared_.emplace(custom.name, &custom).second) {
            error(custom, fmt::format("custom operator '{}' is declared twice", name));
            return;
        }
        const auto found = by_name_.find(custom.name);
        if (found == by_name_.end()) return note_unused(custom, name);
        if (custom.name.size() > kLongestName) {
            error(custom, fmt::format("the name of custom operator '{}' is longer than {} bytes",
                                      name, kLongestName));
        }
        const auto [function, added] =
            functions_.emplace(ops::custom_function(custom.name), custom.name);
        if (!added) {
            error(custom,
                  fmt::format("custom operators '{}' and '{}' would both be the function "
                              "'..._custom_{}'",
                              ir::printable(function->second), name, function->first),
                  "rename one of them in the model");
        }
        for (const ir::Operator* op : found->second) check_outputs(custom, *op);
    }

    void note_unused(const CustomOperator& custom, const std::string& name) {
        std::vector<std::string> names;
        for (const auto& entry : by_name_) names.push_back(ir::printable(entry.first));
        diagnostics_.note(custom.origin.to_text(),
                          fmt::format("the model has no custom operator '{}'", name),
                          support::did_you_mean(name, names));
    }

    void check_types(const CustomOperator& custom) {
        const std::vector<std::string> known = type_names();
        for (const CustomOutput& output : custom.outputs) {
            if (output.type.empty() ||
                std::find(known.begin(), known.end(), output.type) != known.end()) {
                continue;
            }
            std::string hint = support::did_you_mean(output.type, known);
            if (hint.empty()) hint = fmt::format("types are {}", fmt::join(known, ", "));
            error(custom, fmt::format("'{}' is no type of an element", ir::printable(output.type)),
                  hint);
        }
    }

    void check_outputs(const CustomOperator& custom, const ir::Operator& op) {
        if (!custom.output_count) return;
        const auto count = static_cast<std::int64_t>(op.outputs.size());
        if (*custom.output_count != count) {
            error(custom,
                  fmt::format("{} output(s) are declared, but {} has {}", *custom.output_count,
                              ir::describe(graph_, op), count),
                  "'ingot inspect' lists the operators with their outputs");
            return;
        }
        for (std::size_t i = 0; i < custom.outputs.size(); ++i) {
            check_output(custom, op, i, custom.outputs[i]);
        }
    }

    void check_output(const CustomOperator& custom, const ir::Operator& op, std::size_t i,
                      const CustomOutput& declared) {
        const ir::Tensor& tensor = graph_.tensor(op.outputs[i]);
        const std::string_view type = ir::name(tensor.type);
        if (!declared.type.empty() && declared.type != type) {
            error(custom,
                  fmt::format("output {} is declared {}, but that of {} is {}", i,
                              ir::printable(declared.type), ir::describe(graph_, op), type));
        }
        const std::vector<std::int64_t> shape(tensor.shape.begin(), tensor.shape.end());
        if (declared.shape && *declared.shape != shape) {
            error(custom, fmt::format("output {} is declared with shape {}, but that of {} has {}",
                                      i, shape_text(*declared.shape), ir::describe(graph_, op),
                                      shape_text(shape)));
        }
    }

    const ir::Graph& graph_;
    support::Diagnostics& diagnostics_;
    support::Diagnostics errors_;
    std::map<std::string, std::vector<const ir::Operator*>> by_name_;
    std::map<std::string, const CustomOperator*> declared_;
    std::map<std::string, std::string> functions_;  // function → operator
};

}  // namespace

std::set<std::string> custom_operator_names(const config::Config& config) {
    std::set<std::string> names;
    for (const CustomOperator& custom : config.custom_operators) names.insert(custom.name);
    return names;
}

void check_custom_operators(const config::Config& config, const ir::Graph& graph,
                            support::Diagnostics& diagnostics) {
    Checker(graph, diagnostics).check(config.custom_operators);
}

void check_host_vectors(const config::Config& config, const program::Program& program) {
    if (!config.test.enabled || config.test.golden_data || program::runs_on_host(program)) return;
    const auto origin = config.origins.find("test.enabled");
    throw support::Failure(
        support::ExitStatus::usage,
        origin == config.origins.end() ? "test.enabled" : origin->second.to_text(),
        "the self-test needs expected outputs, and custom operators can't be executed here to "
        "make them",
        "record inputs and outputs where the operators are implemented, and name the .npz file "
        "under test.golden_data");
}

}  // namespace ingot::driver
