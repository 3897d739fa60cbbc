// `ingot platforms list` and `ingot platforms show NAME`.
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/summary.h"
#include "platforms/platform.h"

namespace ingot::cli {
namespace {

using nlohmann::json;
using platforms::Memory;
using platforms::Platform;
using support::ExitStatus;

Platform named(const std::string& name) {
    config::PlatformConfig config;
    config.name = name;
    return platforms::resolve(config);
}

json memory_json(const Memory& memory) {
    return {{"name", memory.name},
            {"size", memory.size ? json(*memory.size) : json(nullptr)},
            {"kind", memory.is_volatile ? "volatile" : "nonvolatile"},
            {"writable", memory.writable},
            {"read_cost", memory.read_cost},
            {"code_only", memory.code_only},
            {"executable", memory.executable},
            {"confirmed", memory.confirmed},
            {"note", memory.note}};
}

json platform_json(const Platform& p) {
    json memories = json::array();
    for (const Memory& memory : p.memories) memories.push_back(memory_json(memory));
    return {
        {"name", p.name},
        {"description", p.description},
        {"vendor", p.vendor},
        {"cpu", p.cpu},
        {"features", p.features},
        {"clocks_mhz", p.clocks_mhz},
        {"min_alignment", p.min_alignment},
        {"memories", memories},
        {"order", {{"scratch", p.order[0]}, {"persistent", p.order[1]}, {"constant", p.order[2]}}},
        {"section_macros", p.section_macros},
        {"source", p.source}};
}

std::string size_text(const Memory& memory) {
    return memory.size ? grouped(*memory.size) : "no limit";
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text.empty() ? "none" : text;
}

ExitStatus list(Session& session) {
    std::vector<std::vector<std::string>> rows = {{"name", "cpu", "memories", "description"}};
    session.result["platforms"] = json::array();
    for (const std::string& name : platforms::names()) {
        const Platform platform = named(name);
        std::vector<std::string> memories;
        for (const Memory& memory : platform.memories) memories.push_back(memory.name);
        rows.push_back({name, platform.cpu, joined(memories), platform.description});
        session.result["platforms"].push_back(platform_json(platform));
    }
    session.print(table(rows, 4));
    return ExitStatus::ok;
}

ExitStatus show(Session& session, const std::string& name) {
    const Platform p = named(name);
    session.result["platform"] = platform_json(p);
    std::vector<std::string> clocks;
    for (const std::int64_t clock : p.clocks_mhz) clocks.push_back(std::to_string(clock));
    std::string text = fmt::format("{}: {}\n", p.name, p.description);
    text += fmt::format("  vendor      {}\n  cpu         {}\n  features    {}\n", p.vendor, p.cpu,
                        joined(p.features));
    text += fmt::format("  clocks, MHz {}\n  alignment   {}\n", joined(clocks), p.min_alignment);
    text += "memories\n";
    std::vector<std::vector<std::string>> rows = {
        {"name", "kind", "bytes", "read cost", "", "note"}};
    for (const Memory& memory : p.memories) {
        rows.push_back({memory.name, memory.is_volatile ? "volatile" : "nonvolatile",
                        size_text(memory), fmt::format("{}", memory.read_cost),
                        memory.confirmed ? "" : "unconfirmed",
                        memory.code_only ? "for code " + memory.note : memory.note});
    }
    text += table(rows, 6);
    text += fmt::format("order\n  scratch     {}\n  persistent  {}\n  constant    {}\n",
                        joined(p.order[0]), joined(p.order[1]), joined(p.order[2]));
    if (!p.section_macros.empty()) text += "section macros\n";
    for (const auto& [macro, value] : p.section_macros) {
        text += fmt::format("  {} {}\n", macro, value);
    }
    session.print(text + "source: " + p.source + "\n");
    return ExitStatus::ok;
}

}  // namespace

void add_platforms(CLI::App& root, Session& session, Commands& commands) {
    CLI::App* app = add_command(root, session, "platforms", "List or show the known platforms",
                                "ingot platforms list");
    commands.push_back({app, {}});
    CLI::App* all =
        add_command(*app, session, "list", "List the platforms", "ingot platforms list");
    commands.push_back({all, list});
    CLI::App* one = add_command(*app, session, "show", "Show a platform's core and memories",
                                "ingot platforms show apollo510_evb");
    const auto name = std::make_shared<std::string>();
    one->add_option("NAME", *name, "A platform, or the path of a YAML file")->required();
    commands.push_back({one, [name](Session& s) { return show(s, *name); }});
}

}  // namespace ingot::cli
