#include "config/cores.h"

#include <algorithm>

#include "config/reader.h"

namespace ingot::config {

const std::vector<std::string>& cores() {
    static const std::vector<std::string> all = {
        "cortex-m0",  "cortex-m0plus", "cortex-m3",  "cortex-m4",  "cortex-m7",
        "cortex-m23", "cortex-m33",    "cortex-m55", "cortex-m85", "generic"};
    return all;
}

std::optional<std::string> core_name(std::string_view text) {
    std::string name = lower(text);
    std::replace(name.begin(), name.end(), '_', '-');
    if (!name.empty() && name.back() == '+') name.replace(name.size() - 1, 1, "plus");
    if (!name.empty() && name.front() == 'm') name.insert(0, "cortex-");
    const bool known = std::find(cores().begin(), cores().end(), name) != cores().end();
    return known ? std::optional(name) : std::nullopt;
}

std::vector<std::string> core_features(std::string_view core) {
    if (core == "cortex-m4" || core == "cortex-m7") return {"dsp"};
    if (core == "cortex-m55" || core == "cortex-m85") return {"dsp", "mve"};
    return {};
}

}  // namespace ingot::config
