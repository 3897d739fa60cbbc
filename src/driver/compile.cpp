#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "driver/custom_operators.h"
#include "driver/driver.h"
#include "driver/offline_entry.h"
#include "driver/ordered_plan.h"
#include "memory/offline_plan.h"
#include "memory/parts.h"
#include "ops/operator.h"
#include "program/execute.h"
#include "support/suggest.h"
#include "tflite/import.h"

namespace ingot::driver {
namespace {

using support::ExitStatus;
using support::Failure;

std::string origin(const config::Config& config, const std::string& key) {
    const auto it = config.origins.find(key);
    return it == config.origins.end() ? std::string() : it->second.to_text();
}

// What the configuration may say that no room behind can do yet: refused, never ignored.
void refuse_unavailable(const config::Config& config) {
    support::Diagnostics errors;
    const auto refuse = [&](bool asked, const std::string& key, const std::string& hint) {
        if (asked) errors.error(origin(config, key), "'" + key + "' is not available yet", hint);
    };
    refuse(config.rounding == config::Rounding::once, "numerics.rounding",
           "kernels round twice, as TensorFlow Lite Micro's reference kernels do");
    for (const config::Rule& rule : config.operators) {
        if (rule.kernel) {
            errors.error(
                rule.origin.to_text(),
                "operator attribute 'kernel' has nothing to choose from: each operator has "
                "one kernel for its types",
                "leave it out");
        }
    }
    errors.throw_if_errors(ExitStatus::usage);
}

std::size_t select_subgraph(const config::Config& config, const ir::Model& model) {
    if (!config.model.signature.empty()) {
        std::vector<std::string> names;
        for (const ir::Signature& signature : model.signatures) {
            if (signature.key == config.model.signature) {
                return static_cast<std::size_t>(signature.subgraph);
            }
            names.push_back(signature.key);
        }
        throw Failure(ExitStatus::usage, origin(config, "model.signature"),
                      fmt::format("the model has no signature '{}'", config.model.signature),
                      support::did_you_mean(config.model.signature, names));
    }
    if (config.model.subgraph < 0 ||
        static_cast<std::size_t>(config.model.subgraph) >= model.subgraphs.size()) {
        throw Failure(ExitStatus::usage, origin(config, "model.subgraph"),
                      fmt::format("the model has no subgraph {}", config.model.subgraph),
                      fmt::format("it has {}, numbered from 0", model.subgraphs.size()));
    }
    return static_cast<std::size_t>(config.model.subgraph);
}

// Shapes are static after import; a configured one must agree with the model's.
void check_input_shapes(const config::Config& config, const ir::Graph& graph) {
    support::Diagnostics errors;
    for (const auto& [key, shape] : config.model.input_shapes) {
        const std::string where = origin(config, "model.input_shapes");
        std::vector<std::string> names;
        const ir::Tensor* found = nullptr;
        for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
            const ir::Tensor& tensor = graph.tensor(graph.inputs[i]);
            names.push_back(tensor.name);
            if (key == tensor.name || key == std::to_string(i)) found = &tensor;
        }
        if (found == nullptr) {
            errors.error(where, fmt::format("the model has no input '{}'", key),
                         support::did_you_mean(key, names));
        } else if (!std::equal(shape.begin(), shape.end(), found->shape.begin(),
                               found->shape.end())) {
            errors.error(
                where,
                fmt::format("input '{}' has the static shape {}", key, ir::to_text(found->shape)),
                "convert the model again with the shape you need");
        }
    }
    errors.throw_if_errors(ExitStatus::usage);
}

std::map<std::string, bool> enabled_passes(const config::Config& config) {
    std::vector<std::string> names;
    for (const passes::Pass* pass : passes::registry()) names.emplace_back(pass->name);
    support::Diagnostics errors;
    std::map<std::string, bool> enabled;
    for (const config::TransformSetting& setting : config.transforms) {
        const bool all = setting.name == "*";
        if (!all && std::find(names.begin(), names.end(), setting.name) == names.end()) {
            errors.error(setting.origin.to_text(),
                         fmt::format("unknown transform '{}'", setting.name),
                         support::did_you_mean(setting.name, names));
        }
        for (const auto& [option, value] : setting.options) {
            errors.error(setting.origin.to_text(),
                         fmt::format("transform '{}' has no option '{}'", setting.name, option));
        }
        for (const std::string& name : names) {
            if (all || name == setting.name) enabled[name] = setting.enabled;
        }
    }
    errors.throw_if_errors(ExitStatus::usage);
    return enabled;
}

ops::LoweringOptions lowering_options(const config::Config& config, const std::string& name) {
    ops::LoweringOptions options;
    options.model_name = name;
    options.scales = config.scales == config::Scales::f32 ? ops::ScaleArithmetic::f32
                                                          : ops::ScaleArithmetic::f64;
    options.custom_operators = custom_operator_names(config);
    return options;
}

// The graph of one operator alone, its operands as they are.
ir::Graph single_operator(const ir::Graph& graph, const ir::Operator& op) {
    ir::Graph single;
    ir::Operator copy = op;
    std::map<ir::TensorIndex, ir::TensorIndex> map;
    const auto take = [&](ir::TensorIndex& i) {
        if (i == ir::kAbsent) return;
        const auto [it, added] =
            map.emplace(i, static_cast<ir::TensorIndex>(single.tensors.size()));
        if (added) single.tensors.push_back(graph.tensor(i));
        i = it->second;
    };
    for (ir::TensorIndex& i : copy.inputs) take(i);
    for (ir::TensorIndex& i : copy.outputs) take(i);
    single.outputs = copy.outputs;
    single.operators.push_back(std::move(copy));
    return single;
}

// Folding more than this would keep the user waiting; the operator then stays.
constexpr std::uint64_t kMaxFoldingWork = std::uint64_t{1} << 26;

// Multiply-accumulates and bytes moved in one run.
std::uint64_t work(const program::Program& program) {
    std::uint64_t total = 0;
    for (const program::Step& step : program.steps) {
        total += step.macs;
        for (const auto* accesses : {&step.reads, &step.writes, &step.constants}) {
            for (const program::Access& access : *accesses) total += access.touched_bytes;
        }
    }
    return total;
}

std::optional<std::vector<std::vector<std::uint8_t>>> evaluate(
    const ir::Graph& graph, const ir::Operator& op, const ops::LoweringOptions& options) {
    const ir::Graph single = single_operator(graph, op);
    if (!ops::unsupported_reasons(single, single.operators.front(), options).empty()) {
        return std::nullopt;
    }
    const program::Program program = ops::lower(single, options);
    if (!program::runs_on_host(program)) return std::nullopt;
    if (work(program) > kMaxFoldingWork) return std::nullopt;
    program::Instance instance(program, program::separate_layout(program));
    instance.reset();
    if (instance.run() != 0) return std::nullopt;
    std::vector<std::vector<std::uint8_t>> outputs;
    for (const program::TensorId id : program.outputs) {
        const auto bytes = instance.bytes(id);
        outputs.emplace_back(bytes.begin(), bytes.end());
    }
    return outputs;
}

passes::Environment environment(const ops::LoweringOptions& options) {
    passes::Environment result;
    result.evaluate = [&options](const ir::Graph& graph, const ir::Operator& op) {
        return evaluate(graph, op, options);
    };
    result.compile_time_inputs = [](const ir::Operator& op) {
        const ops::OperatorDefinition* definition = ops::find(op.type);
        return definition == nullptr ? std::vector<std::size_t>{} : definition->compile_time_inputs;
    };
    return result;
}

std::string stem(const std::string& file) {
    const std::size_t dot = file.rfind('.');
    return dot == std::string::npos || dot == 0 ? file : file.substr(0, dot);
}

void check_dump_after(const std::string& name) {
    if (name.empty() || name == "import") return;
    std::vector<std::string> names = {"import"};
    for (const passes::Pass* pass : passes::registry()) names.emplace_back(pass->name);
    if (std::find(names.begin(), names.end(), name) != names.end()) return;
    throw Failure(ExitStatus::usage, "--dump-after", fmt::format("unknown transform '{}'", name),
                  support::did_you_mean(name, names));
}

}  // namespace

memory::PlanOptions plan_options(const config::Config& config, const CompileOptions& options) {
    memory::PlanOptions result;
    result.memory = config.memory;
    result.operators = config.operators;
    result.prefix = config.module.prefix;
    result.inputs_overwritable = config.model.inputs_overwritable;
    result.ignore_budgets = options.ignore_budgets;
    return result;
}

std::optional<std::uint64_t> operator_macs(const ir::Graph& graph, const ir::Operator& op) {
    ir::Graph single = single_operator(graph, op);
    // What the operators before it would have written comes from outside.
    for (const ir::TensorIndex i : single.operators.front().inputs) {
        if (i == ir::kAbsent || single.tensor(i).constant || single.tensor(i).variable) continue;
        single.inputs.push_back(i);
    }
    if (!ops::unsupported_reasons(single, single.operators.front(), {}).empty()) {
        return std::nullopt;
    }
    std::uint64_t macs = 0;
    for (const program::Step& step : ops::lower(single, {}).steps) macs += step.macs;
    return macs;
}

Imported import_model(const config::Config& config, std::span<const std::uint8_t> model,
                      support::Diagnostics& diagnostics) {
    Imported result;
    result.model = tflite::import(model, diagnostics);
    result.entry = select_subgraph(config, result.model);
    check_input_shapes(config, result.model.subgraphs[result.entry]);
    return result;
}

Compilation compile(const config::Config& config, std::span<const std::uint8_t> model,
                    const std::string& model_file, const CompileOptions& options,
                    support::Diagnostics& diagnostics) {
    refuse_unavailable(config);
    check_dump_after(options.dump_after);
    const auto dump = [&](std::string_view after, const ir::Graph& graph) {
        if (options.dump && after == options.dump_after) options.dump(ir::print(graph));
    };
    Compilation result;
    result.config = config;
    result.model_file = model_file;
    result.platform = platforms::resolve(config.platform);
    const std::map<std::string, bool> enabled = enabled_passes(config);

    Imported imported = import_model(config, model, diagnostics);
    memory::PlanOptions planning = plan_options(config, options);
    result.offline = offline_entry(config, imported, diagnostics);
    result.model = std::move(imported.model);
    result.graph = std::move(result.model.subgraphs[imported.entry]);
    check_custom_operators(config, result.graph, diagnostics);
    dump("import", result.graph);

    const ops::LoweringOptions lowering =
        lowering_options(config, config.model.name.value_or(stem(model_file)));
    result.passes = passes::run(
        result.graph, enabled, environment(lowering),
        [&](const passes::Pass& pass, const ir::Graph& graph) { dump(pass.name, graph); });
    result.program = ops::lower(result.graph, lowering);
    program::verify(result.program);
    check_host_vectors(config, result.program);
    if (result.offline &&
        !memory::offline_plan_is_usable(result.program, *result.offline,
                                        planning.inputs_overwritable, diagnostics)) {
        result.offline.reset();
    }
    planning.offline = result.offline;
    memory::place_parts(result.program, planning);
    OrderedPlan planned = ordered_plan(result.program, result.platform, planning, diagnostics);
    result.program = std::move(planned.program);
    result.plan = std::move(planned.plan);
    if (planned.order) result.order = {*std::move(planned.order), planned.reordered};
    program::verify(result.program);
    memory::verify(result.program, result.plan);
    memory::set_directions(result.program, result.plan);
    return result;
}

}  // namespace ingot::driver
