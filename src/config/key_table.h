// The one table of keys: what each is called, takes, defaults to and means, and how its value
// is read. YAML validation, flags, help, completion and the reference page are made from it.
#pragma once

#include <vector>

#include "config/config.h"
#include "config/reader.h"

namespace ingot::config {

struct KeyRow {
    KeyInfo info;
    /// Reads the value into the configuration; mistakes go to the reader.
    void (*read)(Config& config, Reader& reader, const Node& value, const Name& name);
    /// A flag's text is inline YAML: the value is a list or a map.
    bool structured = false;
};

const std::vector<KeyRow>& key_table();

}  // namespace ingot::config
