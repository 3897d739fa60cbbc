// The table that cmake/Embed.cmake fills in; read it through support/embedded.h.
#pragma once

#include <cstddef>

namespace ingot::support {

struct EmbeddedEntry {
    const char* path;
    const char* begin;
    const char* end;
};

extern const EmbeddedEntry kEmbeddedEntries[];
extern const std::size_t kEmbeddedCount;

}  // namespace ingot::support
