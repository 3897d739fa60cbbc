// `ingot version`
#include <fmt/format.h>

#include "cli/command.h"
#include "driver/driver.h"

namespace ingot::cli {
namespace {

support::ExitStatus run(Session& session) {
    session.result = {{"compiler", driver::kVersion},
                      {"api", driver::kApiVersion},
                      {"residency_schema", driver::kResidencySchema}};
    session.print(fmt::format("ingot {}\nC API {}\nresidency schema {}\n", driver::kVersion,
                              driver::kApiVersion, driver::kResidencySchema));
    return support::ExitStatus::ok;
}

}  // namespace

void add_version(CLI::App& root, Session& session, Commands& commands) {
    CLI::App* app =
        add_command(root, session, "version",
                    "Show the versions of compiler, C API and report schema", "ingot version");
    commands.push_back({app, run});
}

}  // namespace ingot::cli
