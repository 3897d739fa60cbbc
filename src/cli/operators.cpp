// `ingot operators`: every supported operator, its types and constraints.
#include "ops/operator.h"

#include <fmt/format.h>

#include "cli/command.h"
#include "config/reader.h"
#include "support/suggest.h"
#include "support/utf8.h"

namespace ingot::cli {
namespace {

using nlohmann::json;
using support::ExitStatus;

// The largest number of operands; null when there is no limit.
json most(std::size_t number) {
    return number == ops::kAnyNumber ? json(nullptr) : json(number);
}

json operator_json(const ops::OperatorDefinition& definition) {
    json constraints = json::array();
    for (const ops::Constraint& constraint : definition.constraints) {
        constraints.push_back(std::string(constraint.sentence));
    }
    return {{"type", std::string(definition.type)},
            {"types", std::string(definition.types)},
            {"inputs", {definition.min_inputs, most(definition.max_inputs)}},
            {"outputs", {definition.min_outputs, most(definition.max_outputs)}},
            {"constraints", constraints}};
}

void check_known(const std::string& type) {
    std::vector<std::string> known;
    for (const ops::OperatorDefinition* definition : ops::registry()) {
        known.emplace_back(definition->type);
    }
    if (ops::find(type) != nullptr) return;
    std::string hint = support::did_you_mean(type, known);
    if (hint.empty()) hint = "'ingot operators' lists those that are";
    throw support::Failure(ExitStatus::usage, "",
                           "the operator '" + support::printable(type, 60) + "' is not supported",
                           hint);
}

ExitStatus run(Session& session, const std::string& only) {
    const std::string type = config::upper(only);
    if (!type.empty()) check_known(type);
    session.result["operators"] = json::array();
    for (const ops::OperatorDefinition* definition : ops::registry()) {
        if (!type.empty() && definition->type != type) continue;
        session.result["operators"].push_back(operator_json(*definition));
        std::string text = fmt::format("{}\n  types: {}\n", definition->type, definition->types);
        for (const ops::Constraint& constraint : definition->constraints) {
            text += fmt::format("  - {}\n", constraint.sentence);
        }
        session.print(text);
    }
    return ExitStatus::ok;
}

}  // namespace

void add_operators(CLI::App& root, Session& session, Commands& commands) {
    CLI::App* app = add_command(root, session, "operators", "List the supported operators",
                                "ingot operators CONV_2D");
    const auto type = std::make_shared<std::string>();
    app->add_option("TYPE", *type, "Only this one");
    commands.push_back({app, [type](Session& s) { return run(s, *type); }});
}

}  // namespace ingot::cli
