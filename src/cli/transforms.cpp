// `ingot transforms`: the graph passes.
#include <fmt/format.h>

#include "cli/command.h"
#include "passes/pass.h"

namespace ingot::cli {
namespace {

using nlohmann::json;
using support::ExitStatus;

ExitStatus run(Session& session) {
    session.result["transforms"] = json::array();
    for (const passes::Pass* pass : passes::registry()) {
        session.result["transforms"].push_back({{"name", std::string(pass->name)},
                                                {"description", std::string(pass->description)},
                                                {"on_by_default", pass->on_by_default}});
        session.print(fmt::format("{} ({})\n  {}\n", pass->name, pass->on_by_default ? "on" : "off",
                                  pass->description));
    }
    return ExitStatus::ok;
}

}  // namespace

void add_transforms(CLI::App& root, Session& session, Commands& commands) {
    CLI::App* app =
        add_command(root, session, "transforms", "List the graph transforms, in the order they run",
                    "ingot transforms");
    commands.push_back({app, run});
}

}  // namespace ingot::cli
