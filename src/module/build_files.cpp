#include "module/build_files.h"

#include <fmt/core.h>

#include <algorithm>

#include "module/text.h"

namespace ingot::module {
namespace {

using nlohmann::json;

bool begins_with(const std::string& text, const std::string& start) {
    return text.compare(0, start.size(), start) == 0;
}

bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

json build_data(const Emission& emission) {
    const config::Config& config = emission.config();
    json data = emission.base();
    data["id"] = emission.id();
    data["ID"] = upper(emission.id());
    data["name"] = config.module.name;
    data["version"] = numeric_version(config.model.version);
    data["summary"] = fmt::format("Neural network {} as C99, made by Ingot",
                                  comment_text(emission.input().model_name));
    data["test"] = config.test.enabled;
    data["uses_math"] = emission.kernels().uses_math;
    return data;
}

json file_list(const support::FileSet& files, const std::string& folder,
               const std::string& suffix) {
    json list = json::array();
    for (const auto& [path, text] : files) {
        if (begins_with(path, folder) && ends_with(path, suffix)) list.push_back({{"file", path}});
    }
    return list;
}

bool has_feature(const platforms::Platform& platform, const std::string& feature) {
    return std::find(platform.features.begin(), platform.features.end(), feature) !=
           platform.features.end();
}

Variant planned_variant(const platforms::Platform& platform) {
    const auto core_is_one_of = [&platform](std::initializer_list<const char*> cores) {
        return std::find(cores.begin(), cores.end(), platform.cpu) != cores.end();
    };
    if (core_is_one_of({"cortex-m55", "cortex-m85"}) && has_feature(platform, "mve")) {
        return Variant::mve;
    }
    const bool may_have_dsp =
        core_is_one_of({"cortex-m4", "cortex-m7", "cortex-m33", "cortex-m55", "cortex-m85"});
    return may_have_dsp && has_feature(platform, "dsp") ? Variant::dsp : Variant::portable;
}

std::string where_set(const config::Config& config, const std::string& key) {
    const auto origin = config.origins.find(key);
    return origin == config.origins.end() ? key : origin->second.to_text();
}

}  // namespace ingot::module
