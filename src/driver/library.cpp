// The public library: driver calls with everything caught at the boundary.
#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include "config/config.h"
#include "driver/driver.h"
#include "driver/summary.h"
#include "ingot/ingot.h"
#include "support/diagnostics.h"

namespace ingot {
namespace {

Message to_message(const support::Diagnostic& diagnostic) {
    Message message;
    switch (diagnostic.severity) {
        case support::Severity::note:
            message.severity = Message::Severity::note;
            break;
        case support::Severity::warning:
            message.severity = Message::Severity::warning;
            break;
        case support::Severity::error:
            message.severity = Message::Severity::error;
            break;
    }
    message.where = diagnostic.where;
    message.message = diagnostic.message;
    message.hint = diagnostic.hint;
    return message;
}

void convert_into(const Request& request, support::Diagnostics& diagnostics, Result& result) {
    std::vector<config::FlagValue> flags;
    for (const auto& [key, value] : request.settings) flags.push_back({key, value});
    const config::Config config = config::load(request.yaml, request.yaml_name, flags);
    driver::Conversion conversion = driver::convert(config, request.model, request.model_name,
                                                    request.golden_data, {}, diagnostics);
    result.files = std::move(conversion.files);
    result.residency_json = std::move(conversion.residency_json);
    result.summary_json = driver::summary_text(conversion.compilation);
}

Result convert_checked(const Request& request) {
    Result result;
    support::Diagnostics diagnostics;
    try {
        convert_into(request, diagnostics, result);
    } catch (const support::Failure& failure) {
        result.status = static_cast<int>(failure.status());
        for (const support::Diagnostic& d : failure.diagnostics()) diagnostics.add(d);
    } catch (const std::exception& fault) {
        result.status = static_cast<int>(support::ExitStatus::internal);
        diagnostics.error("", fault.what(), "this is a fault in Ingot; please report it");
    }
    std::transform(diagnostics.list().begin(), diagnostics.list().end(),
                   std::back_inserter(result.messages), to_message);
    return result;
}

}  // namespace

const char* version() {
    return driver::kVersion;
}

Result convert(const Request& request) noexcept {
    try {
        return convert_checked(request);
    } catch (...) {  // no memory even for the message
        Result result;
        result.status = static_cast<int>(support::ExitStatus::internal);
        return result;
    }
}

}  // namespace ingot
