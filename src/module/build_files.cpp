#include "module/build_files.h"

#include <fmt/core.h>

#include <sstream>

#include "module/text.h"
#include "support/diagnostics.h"
#include "support/embedded.h"

namespace ingot::module {

using nlohmann::json;

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
        if (path.starts_with(folder) && path.ends_with(suffix)) list.push_back({{"file", path}});
    }
    return list;
}

void refuse_taken_name(const Emission& emission, const std::string& whose, const char* list) {
    std::istringstream lines{std::string(support::embedded_file(list))};
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line[0] == '#') continue;
        const bool open = line.back() == '*';
        if (open) line.pop_back();
        if (open ? !emission.id().starts_with(line) : emission.id() != line) continue;
        throw support::Failure(support::ExitStatus::usage,
                               where_set(emission.config(), "module.name"),
                               fmt::format("{} has a target of the name '{}' itself, or may have",
                                           whose, emission.id()),
                               "choose another module.name");
    }
}

std::string where_set(const config::Config& config, const std::string& key) {
    const auto origin = config.origins.find(key);
    return origin == config.origins.end() ? key : origin->second.to_text();
}

}  // namespace ingot::module
