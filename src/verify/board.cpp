#include "verify/board.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "config/cores.h"
#include "support/diagnostics.h"
#include "support/embedded.h"
#include "support/suggest.h"
#include "support/utf8.h"

namespace ingot::verify {
namespace {

using nlohmann::json;
using support::ExitStatus;
using support::Failure;

json table() {
    return json::parse(support::embedded_file("targets/boards.json"));
}

Block block(const json& entry) {
    return {entry.at("name").get<std::string>(), entry.at("base").get<std::string>(),
            entry.at("size").get<std::uint64_t>()};
}

// A core whose instructions are the next below those of a core without a machine.
const std::map<std::string, std::string> kNextBelow = {
    {"cortex-m0plus", "cortex-m0"}, {"cortex-m23", "cortex-m0"}, {"cortex-m85", "cortex-m55"}};

std::string list(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

}  // namespace

std::vector<std::string> places() {
    std::vector<std::string> names = {kHost};
    const json boards = table();
    for (const std::string& core : config::cores()) {
        if (boards.contains(core)) names.push_back(core);
    }
    return names;
}

std::string place_name(const std::string& text) {
    const std::vector<std::string> known = places();
    const std::string core = config::core_name(text).value_or(text);
    if (std::find(known.begin(), known.end(), core) != known.end()) return core;
    if (const auto below = kNextBelow.find(core); below != kNextBelow.end()) {
        throw Failure(ExitStatus::usage, "--on", fmt::format("QEMU has no machine with a {}", core),
                      fmt::format("a module for it runs on a {} too: --on {} --platform.cpu {}",
                                  below->second, below->second, core));
    }
    std::string hint = support::did_you_mean(text, known);
    if (hint.empty()) hint = "a module can run on " + list(known);
    throw Failure(ExitStatus::usage, "--on",
                  fmt::format("nothing to run on is called '{}'", support::printable(text, 60)),
                  hint);
}

Board board(const std::string& core) {
    const json boards = table();
    const json& entry = boards.at(core);
    Board result;
    result.core = core;
    result.machine = entry.at("machine").get<std::string>();
    result.flags = entry.at("flags").get<std::vector<std::string>>();
    result.startup_flags = entry.at("startup_flags").get<std::vector<std::string>>();
    result.code = block(entry.at("code"));
    result.data = block(entry.at("data"));
    result.large = block(entry.at("large"));
    return result;
}

}  // namespace ingot::verify
