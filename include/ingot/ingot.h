/// @file
/// Ingot's library: from a configuration and a model's bytes to files, reports, diagnostics.
///
/// No global state; may be used from several threads at once; never exits, prints or throws.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

/// Before what the library offers to its users.
#if defined(_WIN32) || !defined(__GNUC__)
#define INGOT_API
#else
#define INGOT_API __attribute__((visibility("default")))
#endif

/// The library.
namespace ingot {

/// The compiler's version.
/// @return three numbers, `0.1.0`
INGOT_API const char* version();

/// What the compiler has to say.
struct Message {
    /// How bad it is.
    enum class Severity {
        note,     ///< nothing is wrong
        warning,  ///< it works, but perhaps not as meant
        error     ///< nothing was made
    };
    Severity severity = Severity::error;  ///< how bad it is
    std::string where;    ///< `config.yaml:7:13`, `operator 12 (CONV_2D "name")`; may be empty
    std::string message;  ///< one sentence
    std::string hint;     ///< what to do; may be empty
};

/// What `convert` takes. The result depends on these bytes only.
struct Request {
    std::string yaml;       ///< configuration, YAML text; may be empty
    std::string yaml_name;  ///< its name in messages
    /// Dotted keys and their values as on the command line; they win over the YAML.
    std::vector<std::pair<std::string, std::string>> settings;
    std::vector<std::uint8_t> model;        ///< bytes of the .tflite file
    std::string model_name;                 ///< file name, for reports
    std::vector<std::uint8_t> golden_data;  ///< bytes of an .npz for test.golden_data; may be empty
};

/// What `convert` gives.
struct Result {
    int status = 0;                            ///< exit status, 0 when it worked
    std::vector<Message> messages;             ///< in order
    std::map<std::string, std::string> files;  ///< the module, by path below its root
    std::string residency_json;                ///< the residency report, also when not written
    std::string summary_json;                  ///< `{module, arenas, totals, transforms}`, JSON
};

/// Converts. Never throws; what goes wrong is in `status` and `messages`.
/// @param request the configuration and the model
/// @return files, reports and messages
INGOT_API Result convert(const Request& request) noexcept;

}  // namespace ingot
