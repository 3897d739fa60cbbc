// Takes the sources of the kernels that a module uses out of kernels/, as parts of one header
// and one source file.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace ingot::module {

/// Parts of `<p>_kernels.{h,c}` in order: support functions before what uses them, each once.
struct KernelSources {
    std::vector<std::string> header_includes;  ///< system headers, `<math.h>`, ascending
    std::vector<std::string> header_parts;     ///< types and prototypes
    std::vector<std::string> source_includes;
    std::vector<std::string> source_parts;  ///< static helpers and kernels
    bool uses_math = false;                 ///< includes <math.h>
};

/// The sources of the named kernels, and of kernels and support headers that they include, with
/// every `ingot_` and `INGOT_` replaced by the module's prefix. Include guards, licence lines and
/// `#include` lines are taken out (a system header is kept in its place when it stands under a
/// condition), and helpers that these kernels don't use are left away. `memories` says which
/// kernels' code goes to a memory (`itcm`), their helpers with them.
/// Throws std::logic_error when a file is not there.
KernelSources kernel_sources(const std::set<std::string>& names, const std::string& prefix,
                             const std::map<std::string, std::string>& memories = {});

}  // namespace ingot::module
