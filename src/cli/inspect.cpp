// `ingot inspect`: what is in a model.
#include <fmt/format.h>

#include <map>

#include "cli/command.h"
#include "cli/plan_picture.h"
#include "cli/summary.h"
#include "driver/custom_operators.h"
#include "driver/driver.h"
#include "ops/operator.h"
#include "report/memory_map.h"
#include "report/reports.h"
#include "support/utf8.h"

namespace ingot::cli {
namespace {

using nlohmann::json;
using support::ExitStatus;

constexpr std::size_t kLongestName = 48;

std::string label(const std::string& name) {
    return support::printable(name, kLongestName);
}

// Constants that the operator reads, bytes.
std::uint64_t weight_bytes(const ir::Graph& graph, const ir::Operator& op) {
    std::uint64_t bytes = 0;
    for (const ir::TensorIndex i : op.inputs) {
        if (i != ir::kAbsent && graph.tensor(i).constant) bytes += graph.tensor(i).data.size();
    }
    return bytes;
}

const char* kind(const ir::Graph& graph, ir::TensorIndex i) {
    const auto in = [i](const std::vector<ir::TensorIndex>& list) {
        return std::find(list.begin(), list.end(), i) != list.end();
    };
    const ir::Tensor& tensor = graph.tensor(i);
    if (tensor.constant) return "constant";
    if (tensor.variable) return "variable";
    if (in(graph.inputs)) return "input";
    return in(graph.outputs) ? "output" : "activation";
}

json quantization_json(const ir::Quantization& q) {
    if (q.empty()) return nullptr;
    return {{"scales", q.scales}, {"zero_points", q.zero_points}, {"axis", q.axis}};
}

std::string quantization_text(const ir::Quantization& q) {
    if (q.empty()) return "";
    if (q.per_channel()) return fmt::format("{} scales along axis {}", q.scales.size(), q.axis);
    return fmt::format("scale {} zero point {}", q.scale(), q.zero_point());
}

json tensor_json(const ir::Graph& graph, ir::TensorIndex i) {
    const ir::Tensor& tensor = graph.tensor(i);
    const auto bytes = ir::byte_count(tensor.type, tensor.shape);
    return {{"id", i},
            {"name", tensor.name},
            {"kind", kind(graph, i)},
            {"type", std::string(ir::name(tensor.type))},
            {"shape", tensor.shape},
            {"bytes", bytes ? json(*bytes) : json(nullptr)},
            {"quantization", quantization_json(tensor.quantization)}};
}

json operator_json(const ir::Graph& graph, const ir::Operator& op,
                   const ops::LoweringOptions& options) {
    const auto reasons = ops::unsupported_reasons(graph, op, options);
    const auto macs = driver::operator_macs(graph, op);
    const bool named = op.output(0) != ir::kAbsent;
    return {{"id", op.index},
            {"type", op.type},
            {"custom_name", op.custom_name},
            {"version", op.version},
            {"name", named ? graph.tensor(op.output(0)).name : std::string()},
            {"inputs", op.inputs},
            {"outputs", op.outputs},
            {"macs", macs ? json(*macs) : json(nullptr)},
            {"weight_bytes", weight_bytes(graph, op)},
            {"supported", reasons.empty()},
            {"reasons", reasons}};
}

json inspect_json(const config::Config& config, const driver::Imported& imported) {
    const ir::Model& model = imported.model;
    const ir::Graph& graph = model.subgraphs.at(imported.entry);
    ops::LoweringOptions options;
    options.custom_operators = driver::custom_operator_names(config);
    json operators = json::array();
    json totals = {{"macs", 0U}, {"weight_bytes", 0U}, {"unsupported", 0U}};
    for (const ir::Operator& op : graph.operators) {
        operators.push_back(operator_json(graph, op, options));
        const json& row = operators.back();
        const auto add = [&totals](const char* key, std::uint64_t more) {
            totals[key] = totals[key].get<std::uint64_t>() + more;
        };
        if (!row["macs"].is_null()) add("macs", row["macs"]);
        add("weight_bytes", row["weight_bytes"]);
        add("unsupported", row["supported"].get<bool>() ? 0 : 1);
    }
    totals["operators"] = graph.operators.size();
    json tensors = json::array();
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        tensors.push_back(tensor_json(graph, static_cast<ir::TensorIndex>(i)));
    }
    json signatures = json::array();
    for (const ir::Signature& signature : model.signatures) {
        signatures.push_back({{"key", signature.key}, {"subgraph", signature.subgraph}});
    }
    return {{"model",
             {{"file", model_file_name(config)},
              {"description", model.description},
              {"sha256", model.sha256},
              {"file_size", model.file_size},
              {"subgraph", imported.entry},
              {"subgraphs", model.subgraphs.size()},
              {"signatures", signatures}}},
            {"inputs", graph.inputs},
            {"outputs", graph.outputs},
            {"operators", operators},
            {"tensors", tensors},
            {"totals", totals}};
}

std::string ids(const std::vector<ir::TensorIndex>& list) {
    std::string text;
    for (const ir::TensorIndex i : list) {
        text += (text.empty() ? "" : ",") + (i == ir::kAbsent ? "-" : std::to_string(i));
    }
    return text;
}

std::string operators_text(const ir::Graph& graph, const json& rows) {
    std::vector<std::vector<std::string>> cells = {
        {"id", "operator", "name", "inputs", "outputs", "MACs", "weights"}};
    std::string reasons;
    for (std::size_t i = 0; i < graph.operators.size(); ++i) {
        const ir::Operator& op = graph.operators[i];
        const json& row = rows.at(i);
        const std::string type =
            op.type == "CUSTOM" ? "CUSTOM " + label(op.custom_name) : std::string(op.type);
        cells.push_back({std::to_string(op.index), type, label(row.at("name")), ids(op.inputs),
                         ids(op.outputs), row.at("macs").is_null() ? "?" : grouped(row.at("macs")),
                         grouped(row.at("weight_bytes"))});
        for (const json& reason : row.at("reasons")) {
            reasons +=
                fmt::format("  {}: {}\n", ir::describe(graph, op), reason.get<std::string>());
        }
    }
    if (!reasons.empty()) reasons = "not supported\n" + reasons;
    return "operators\n" + table(cells, 5) + reasons;
}

std::string tensors_text(const ir::Graph& graph) {
    std::vector<std::vector<std::string>> cells = {
        {"id", "kind", "type", "shape", "quantisation", "name"}};
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const ir::Tensor& tensor = graph.tensors[i];
        cells.push_back({std::to_string(i), kind(graph, static_cast<ir::TensorIndex>(i)),
                         std::string(ir::name(tensor.type)), ir::to_text(tensor.shape),
                         quantization_text(tensor.quantization), label(tensor.name)});
    }
    return "tensors\n" + table(cells, 6);
}

struct Inspect {
    ConfigFlags config;
    std::string model;
    bool plan = false;
    bool ascii = false;
    std::size_t width = 0;

    ExitStatus run(Session& session) {
        config.values.push_back({"model.path", model});
        const config::Config loaded = config.load(session);
        const auto bytes = read_model(loaded);
        if (plan) return show_plan(session, loaded, bytes);
        const driver::Imported imported = driver::import_model(loaded, bytes, session.diagnostics);
        const ir::Graph& graph = imported.model.subgraphs.at(imported.entry);
        session.result = inspect_json(loaded, imported);
        const json& totals = session.result["totals"];
        session.print(fmt::format("model  {}, {} bytes, sha256 {}\n",
                                  label(model_file_name(loaded)), grouped(imported.model.file_size),
                                  imported.model.sha256));
        session.print(operators_text(graph, session.result["operators"]) + tensors_text(graph));
        session.print(
            fmt::format("totals  {} MACs, {} bytes of weights, {} operators not supported\n",
                        grouped(totals["macs"]), grouped(totals["weight_bytes"]),
                        grouped(totals["unsupported"])));
        return ExitStatus::ok;
    }

    ExitStatus show_plan(Session& session, const config::Config& loaded,
                         const std::vector<std::uint8_t>& bytes) const {
        driver::CompileOptions options;
        options.ignore_budgets = true;
        const driver::Compilation compilation =
            driver::compile(loaded, bytes, model_file_name(loaded), options, session.diagnostics);
        const report::ReportOptions said = driver::report_options(compilation);
        const json map = report::memory_map(
            report::plan_report(compilation.program, compilation.plan, said),
            report::full_report(compilation.program, compilation.plan, said), "the plan");
        session.print(plan_picture(map, picture_style(width, ascii, session.colours_on_stdout())));
        session.result = {{"map", map}};
        return ExitStatus::ok;
    }
};

}  // namespace

void add_inspect(CLI::App& root, Session& session, Commands& commands) {
    CLI::App* app = add_command(root, session, "inspect", "Show what is in a model",
                                "ingot inspect model.tflite\n  ingot inspect model.tflite --plan");
    const auto inspect = std::make_shared<Inspect>();
    app->add_option("MODEL", inspect->model, "The .tflite file")->required();
    app->add_flag("--plan", inspect->plan,
                  "Draw the memory plan: time across, address up; budgets are ignored");
    app->add_option("--width", inspect->width, "Columns of the picture [the terminal's, or 80]")
        ->type_name("COLUMNS")
        ->check(CLI::Range(kNarrowest, std::size_t{1000}));
    app->add_flag("--ascii", inspect->ascii, "Draw with ASCII characters only");
    inspect->config.add_to(*app);
    commands.push_back({app, [inspect](Session& s) { return inspect->run(s); }});
}

}  // namespace ingot::cli
