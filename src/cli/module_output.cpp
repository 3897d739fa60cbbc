#include "cli/module_output.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/archive.h"
#include "config/reader.h"
#include "support/diagnostics.h"
#include "support/utf8.h"

namespace ingot::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using support::ExitStatus;
using support::Failure;

constexpr std::string_view kPlanSuffix = "_plan.json";
constexpr std::size_t kMostPaths = 100000;

std::string text_at(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

// The paths that the plan lists: everything that was written with it.
std::set<std::string> listed_paths(const json& plan) {
    std::set<std::string> paths;
    const json files = plan.is_object() ? plan.value("files", json::array()) : json::array();
    for (const json& file : files) {
        if (file.is_string()) paths.insert(file.get<std::string>());
    }
    return paths;
}

// The folder's files, links and empty folders, below it. A link is never followed.
std::vector<std::string> paths_below(const fs::path& folder) {
    std::vector<std::string> paths;
    try {
        for (const auto& entry : fs::recursive_directory_iterator(folder)) {
            const bool folder_with_files =
                entry.symlink_status().type() == fs::file_type::directory &&
                !fs::is_empty(entry.path());
            if (folder_with_files) continue;
            paths.push_back(entry.path().lexically_relative(folder).generic_string());
            if (entry.symlink_status().type() != fs::file_type::regular) paths.back() += "/";
            if (paths.size() > kMostPaths) break;
        }
    } catch (const fs::filesystem_error& error) {
        throw Failure(ExitStatus::io, folder.string(), "cannot read: " + error.code().message());
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

/// The suffix of a file's name in lower case: `Module.ZIP` is an archive too.
std::string archive_suffix(const fs::path& path) {
    return config::lower(path.extension().string());
}

std::optional<std::string> foreign_in_folder(const fs::path& folder) {
    return foreign_path(paths_below(folder), [&folder](const std::string& path) {
        const auto bytes = support::read_file(folder / path);
        return std::string(bytes.begin(), bytes.end());
    });
}

std::optional<std::string> foreign_in_archive(const fs::path& path) {
    const auto bytes = support::read_file(path);
    const support::FileSet files = read_zip(bytes, path.string());
    // A module's own archive has one top folder, a pack none.
    std::string top;
    if (!files.empty()) top = files.begin()->first.substr(0, files.begin()->first.find('/') + 1);
    const bool pack = archive_suffix(path) == ".pack";
    std::vector<std::string> paths;
    for (const auto& entry : files) {
        const bool below = !pack && entry.first.compare(0, top.size(), top) == 0;
        paths.push_back(below ? entry.first.substr(top.size()) : entry.first);
    }
    return foreign_path(paths, [&](const std::string& name) {
        const auto found = files.find(pack ? name : top + name);
        return found == files.end() ? std::string() : found->second;
    });
}

}  // namespace

ModuleTarget module_target(const config::Config& config) {
    const fs::path& path = config.module.path;
    const std::string suffix = archive_suffix(path);
    if (suffix == ".zip") return {path, true, config.module.name + "/"};
    if (suffix == ".pack") {
        if (config.module.type == config::ModuleType::cmsis_pack) return {path, true, ""};
        throw Failure(ExitStatus::usage, "module.path", "only a CMSIS pack is written to a .pack",
                      "set module.type to cmsis_pack, or use a .zip");
    }
    fs::path folder = path / config.module.name;
    // Behind a link it is the folder that is replaced, not the link.
    std::error_code error;
    if (fs::is_symlink(folder, error)) {
        const fs::path link = folder;
        folder = fs::weakly_canonical(link, error);
        if (error)
            throw Failure(ExitStatus::io, link.string(),
                          "cannot follow the link: " + error.message());
    }
    return {folder, false, ""};
}

std::optional<std::string> foreign_path(
    const std::vector<std::string>& paths,
    const std::function<std::string(const std::string&)>& read) {
    const auto plan_file = std::find_if(paths.begin(), paths.end(), [](const std::string& path) {
        return path.ends_with(kPlanSuffix) && path.find('/') == std::string::npos;
    });
    if (plan_file == paths.end()) {
        return paths.empty() ? std::nullopt : std::optional(paths.front());
    }
    const json plan = json::parse(read(*plan_file), nullptr, false);
    const std::string prefix = plan_file->substr(0, plan_file->size() - kPlanSuffix.size());
    const bool ours = plan.is_object() && text_at(plan, "module_prefix") == prefix &&
                      !text_at(plan, "plan_hash").empty() &&
                      !text_at(plan, "compiler_version").empty();
    if (!ours) return *plan_file;
    const std::set<std::string> listed = listed_paths(plan);
    const auto foreign = std::find_if(paths.begin(), paths.end(), [&](const std::string& path) {
        return listed.count(path) == 0;
    });
    return foreign == paths.end() ? std::nullopt : std::optional(*foreign);
}

void check_replaceable(const ModuleTarget& target, bool force) {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(target.path, error);
    if (status.type() == fs::file_type::not_found) return;
    const std::string where = target.path.string();
    const char* keep = "choose another module.path or module.name";
    const auto wanted = target.archive ? fs::file_type::regular : fs::file_type::directory;
    if (status.type() != wanted) {
        throw Failure(
            ExitStatus::io, where,
            std::string("exists already and is no ") + (target.archive ? "regular file" : "folder"),
            keep);
    }
    if (!force) {
        throw Failure(ExitStatus::io, where, "exists already",
                      "use --force to replace it, or choose another module.path or module.name");
    }
    const auto foreign =
        target.archive ? foreign_in_archive(target.path) : foreign_in_folder(target.path);
    if (foreign) {
        throw Failure(ExitStatus::io, where,
                      "holds '" + support::printable(*foreign, 80) +
                          "', which Ingot did not write; it is not replaced",
                      keep);
    }
}

void write_module(const ModuleTarget& target, const support::FileSet& files) {
    if (!target.archive) return support::write_folder_atomically(target.path, files);
    support::FileSet packed;
    for (const auto& [path, bytes] : files) packed[target.top_folder + path] = bytes;
    support::write_file_atomically(target.path, make_zip(packed));
}

}  // namespace ingot::cli
