// Where a module goes, and whether something may be replaced for it.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/config.h"
#include "support/files.h"

namespace ingot::cli {

/// A folder or an archive that takes the module.
struct ModuleTarget {
    std::filesystem::path path;
    bool archive = false;
    std::string top_folder;  ///< in the archive, with a slash; may be empty
};

/// `<module.path>/<module.name>/`, or the archive that module.path names. Throws
/// Failure(usage) for a `.pack` that is no CMSIS pack.
ModuleTarget module_target(const config::Config& config);

/// The first of the paths that is not a file of a module of Ingot's; nothing when all are. A
/// module is known by its `<prefix>_plan.json`, which names the layers and arenas and so all
/// the files there can be. `read` gives the bytes of one of the paths.
std::optional<std::string> foreign_path(const std::vector<std::string>& paths,
                                        const std::function<std::string(const std::string&)>& read);

/// Throws Failure(io) when something exists there that may not be replaced: anything without
/// `force`, and with it what Ingot did not write.
void check_replaceable(const ModuleTarget& target, bool force);

/// Writes all of the module or, when anything fails, nothing. Throws Failure(io).
void write_module(const ModuleTarget& target, const support::FileSet& files);

}  // namespace ingot::cli
