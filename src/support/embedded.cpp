#include "support/embedded.h"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>

#include "support/embedded_table.h"

namespace ingot::support {
namespace {

std::span<const EmbeddedEntry> entries() {
    return {kEmbeddedEntries, kEmbeddedCount};
}

const EmbeddedEntry* find(std::string_view path) {
    const auto all = entries();
    const auto it = std::find_if(all.begin(), all.end(),
                                 [path](const EmbeddedEntry& entry) { return path == entry.path; });
    return it == all.end() ? nullptr : &*it;
}

}  // namespace

std::string_view embedded_file(std::string_view path) {
    const EmbeddedEntry* entry = find(path);
    if (entry == nullptr) throw std::logic_error("no embedded file " + std::string(path));
    return {entry->begin, static_cast<std::size_t>(entry->end - entry->begin)};
}

bool has_embedded_file(std::string_view path) {
    return find(path) != nullptr;
}

std::vector<std::string_view> embedded_files(std::string_view prefix) {
    std::vector<std::string_view> paths;
    for (const EmbeddedEntry& entry : entries()) {
        const std::string_view path(entry.path);
        if (path.substr(0, prefix.size()) == prefix) paths.push_back(path);
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

}  // namespace ingot::support
