#include "platforms/platform.h"

#include <algorithm>
#include <filesystem>

#include "config/cores.h"
#include "config/reader.h"
#include "platforms/description.h"
#include "platforms/orders.h"
#include "support/diagnostics.h"
#include "support/embedded.h"
#include "support/files.h"
#include "support/suggest.h"

namespace ingot::platforms {
namespace {

namespace fs = std::filesystem;
using support::ExitStatus;
using support::Failure;

constexpr std::string_view kFolder = "platforms/";
constexpr std::string_view kSuffix = ".yaml";

bool is_path(const std::string& name) {
    const std::string suffix = fs::path(name).extension();
    return name.find('/') != std::string::npos || suffix == ".yaml" || suffix == ".yml";
}

Platform named(const std::string& name, const std::string& where) {
    const std::string file = std::string(kFolder) + name + std::string(kSuffix);
    if (!is_path(name) && support::has_embedded_file(file)) {
        return read_description(std::string(support::embedded_file(file)), file);
    }
    if (is_path(name)) {
        const auto bytes = support::read_file(name, config::kYamlLimit);
        return read_description(std::string(bytes.begin(), bytes.end()), name);
    }
    std::string hint = support::did_you_mean(name, names());
    if (hint.empty())
        hint = "see 'ingot platforms list'; a file is given by its path, ./board.yaml";
    throw Failure(ExitStatus::usage, where, "unknown platform " + config::in_quotes(name), hint);
}

// The listed memories replace the platform's; one with a known name keeps what is not said.
std::vector<Memory> merged(const std::vector<Memory>& old,
                           const std::vector<config::InlineMemory>& listed) {
    std::vector<Memory> memories;
    for (const config::InlineMemory& given : listed) {
        const auto base = std::find_if(old.begin(), old.end(),
                                       [&](const Memory& m) { return m.name == given.name; });
        memories.push_back(apply(base == old.end() ? Memory{} : *base, given));
    }
    return memories;
}

void replace_memories(Platform& platform, const std::vector<config::InlineMemory>& listed) {
    platform.memories = merged(platform.memories, listed);
    for (std::size_t role = 0; role < platform.order.size(); ++role) {
        auto& order = platform.order[role];
        const auto gone = std::remove_if(order.begin(), order.end(), [&](const std::string& name) {
            const Memory* memory = platform.find(name);
            return memory == nullptr || !holds(*memory, role);
        });
        order.erase(gone, order.end());
        // New memories follow those that the platform had.
        for (const std::string& name : default_order(platform.memories, role)) {
            if (std::find(order.begin(), order.end(), name) == order.end()) order.push_back(name);
        }
    }
}

}  // namespace

const Memory* Platform::find(std::string_view memory) const {
    const std::string wanted = config::lower(memory);
    const auto found = std::find_if(memories.begin(), memories.end(),
                                    [&](const Memory& m) { return m.name == wanted; });
    return found == memories.end() ? nullptr : &*found;
}

bool Platform::has(std::string_view feature) const {
    return std::find(features.begin(), features.end(), feature) != features.end();
}

std::vector<std::string> names() {
    std::vector<std::string> result;
    for (std::string_view path : support::embedded_files(kFolder)) {
        path.remove_prefix(kFolder.size());
        path.remove_suffix(kSuffix.size());
        result.emplace_back(path);
    }
    std::sort(result.begin(), result.end());
    return result;
}

Platform resolve(const config::PlatformConfig& config) {
    const std::string origin = config.origin.to_text();
    const std::string where = origin.empty() ? "platform" : origin;
    // Memories without a name describe a part of the user's own, not the default one.
    const bool own = config.name.empty() || (origin.empty() && config.memories);
    Platform platform = own ? Platform{} : named(config.name, where);
    if (own) {
        platform.name = "custom";
        platform.vendor = "Generic";
        platform.cpu = "generic";
        platform.source = "configuration";
    }
    if (config.cpu && *config.cpu != platform.cpu) {
        platform.cpu = *config.cpu;
        platform.features = config::core_features(*config.cpu);
    }
    if (config.features) platform.features = *config.features;
    if (config.min_alignment) platform.min_alignment = *config.min_alignment;
    if (config.vendor) platform.vendor = *config.vendor;
    if (config.memories) replace_memories(platform, *config.memories);
    for (const auto& [macro, text] : config.section_macros) platform.section_macros[macro] = text;
    apply_order(platform, config.order);
    check(platform, where);
    return platform;
}

}  // namespace ingot::platforms
