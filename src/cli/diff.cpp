// `ingot diff`: what changed between two residency reports.
#include "report/diff.h"

#include <algorithm>
#include <filesystem>

#include "cli/command.h"
#include "support/files.h"

namespace ingot::cli {
namespace {

namespace fs = std::filesystem;
using support::ExitStatus;
using support::Failure;

constexpr std::uint64_t kLargestReport = std::uint64_t{256} << 20;

// The report itself, or the one in a module's folder.
fs::path report_file(const std::string& given) {
    std::error_code error;
    if (!fs::is_directory(given, error)) return given;
    const std::string suffix = "_residency.json";
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(given, error)) {
        const std::string name = entry.path().filename().string();
        if (name.size() > suffix.size() &&
            name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0) {
            found.push_back(entry.path());
        }
    }
    if (found.empty()) {
        throw Failure(ExitStatus::io, given, "the folder has no residency report",
                      "convert with --memory.dump_residency_json");
    }
    if (found.size() > 1) {
        throw Failure(ExitStatus::io, given, "the folder has several residency reports",
                      "name one of the files");
    }
    return found.front();
}

nlohmann::json read_report(const std::string& given) {
    const fs::path file = report_file(given);
    const auto bytes = support::read_file(file, kLargestReport);
    return report::parse_residency(std::string(bytes.begin(), bytes.end()), file.string());
}

struct Diff {
    std::string before;
    std::string after;

    ExitStatus run(Session& session) const {
        const nlohmann::json old_report = read_report(before);
        const report::ResidencyDiff diff = report::diff(old_report, read_report(after));
        session.result = {{"diff", report::to_json(diff)}};
        session.print(report::to_text(diff));
        return diff.equal() ? ExitStatus::ok : ExitStatus::differences;
    }
};

}  // namespace

void add_diff(CLI::App& root, Session& session, Commands& commands) {
    CLI::App* app = add_command(root, session, "diff", "Compare two residency reports",
                                "ingot diff last-week/demo build/demo");
    app->footer("Exit status 1 when they differ.\n\n" + app->get_footer());
    const auto diff = std::make_shared<Diff>();
    app->add_option("A", diff->before, "A residency report, or a module's folder")->required();
    app->add_option("B", diff->after, "The one to compare it with")->required();
    commands.push_back({app, [diff](Session& s) { return diff->run(s); }});
}

}  // namespace ingot::cli
