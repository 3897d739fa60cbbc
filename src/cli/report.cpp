// `ingot report`: a module's memory map as an HTML page.
#include <algorithm>
#include <filesystem>
#include <string_view>

#include "cli/archive.h"
#include "cli/command.h"
#include "module/report_page.h"
#include "report/memory_map.h"
#include "support/files.h"

namespace ingot::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using support::ExitStatus;
using support::Failure;
using support::FileSet;

constexpr std::uint64_t kLargestReport = std::uint64_t{256} << 20;
constexpr std::string_view kPlanSuffix = "_plan.json";
constexpr std::string_view kReportSuffix = "_report.json";

bool is_report(const std::string& name) {
    return name.ends_with(kPlanSuffix) || name.ends_with(kReportSuffix);
}

std::string read_text(const fs::path& path) {
    const auto bytes = support::read_file(path, kLargestReport);
    return std::string(bytes.begin(), bytes.end());
}

// The reports in a module's folder, or in its archive below the one top folder; by file name.
FileSet read_reports(const std::string& given) {
    FileSet reports;
    std::error_code error;
    if (!fs::is_directory(given, error)) {
        for (auto& [path, text] : read_zip(support::read_file(given), given)) {
            const fs::path name = path;
            const bool nested = name.has_parent_path() && name.parent_path().has_parent_path();
            if (!nested && is_report(path)) reports[name.filename().string()] = std::move(text);
        }
        return reports;
    }
    for (const auto& entry : fs::directory_iterator(given, error)) {
        const std::string name = entry.path().filename().string();
        if (is_report(name)) reports[name] = read_text(entry.path());
    }
    if (error) throw Failure(ExitStatus::io, given, "cannot read: " + error.message());
    return reports;
}

json parsed(const FileSet& reports, const std::string& name, const std::string& given) {
    const auto found = reports.find(name);
    if (found == reports.end()) {
        throw Failure(ExitStatus::io, given, "there is no '" + name + "' beside the plan");
    }
    json value = json::parse(found->second, nullptr, false);
    if (value.is_discarded()) throw Failure(ExitStatus::io, given, "'" + name + "' is no JSON");
    return value;
}

json read_map(const std::string& given) {
    const FileSet reports = read_reports(given);
    std::vector<std::string> prefixes;
    for (const auto& [name, text] : reports) {
        if (!name.ends_with(kPlanSuffix)) continue;
        prefixes.push_back(name.substr(0, name.size() - kPlanSuffix.size()));
    }
    if (prefixes.empty()) {
        throw Failure(ExitStatus::io, given, "holds no plan of a module",
                      "name the folder that 'ingot convert' wrote, with its <prefix>_plan.json");
    }
    if (prefixes.size() > 1) {
        throw Failure(ExitStatus::io, given, "holds the plans of several modules");
    }
    const json plan = parsed(reports, prefixes.front() + std::string(kPlanSuffix), given);
    return report::memory_map(
        plan, parsed(reports, prefixes.front() + std::string(kReportSuffix), given), given);
}

// Another page of Ingot's is replaced, and nothing else.
void check_target(const fs::path& file) {
    std::error_code error;
    if (!fs::exists(fs::symlink_status(file, error))) return;
    if (fs::is_regular_file(file, error) && read_text(file).starts_with(module::kPageMark)) return;
    throw Failure(ExitStatus::io, file.string(), "exists already, and is no page of Ingot's",
                  "name another file with -o");
}

struct Report {
    std::string folder;
    std::string file;

    ExitStatus run(Session& session) const {
        const json map = read_map(folder);
        const fs::path target =
            file.empty() ? map.at("prefix").get<std::string>() + "_report.html" : file;
        check_target(target);
        support::write_file_atomically(target, module::report_page(map));
        session.result = {{"file", target.string()}};
        session.print_summary("page  " + target.string() + "\n");
        return ExitStatus::ok;
    }
};

}  // namespace

void add_report(CLI::App& root, Session& session, Commands& commands) {
    CLI::App* app =
        add_command(root, session, "report", "Write a module's memory map as an HTML page",
                    "ingot report out/aot_module -o map.html");
    const auto report = std::make_shared<Report>();
    app->add_option("DIR", report->folder, "A module's folder or archive")->required();
    app->add_option("-o,--output", report->file, "The page to write [<prefix>_report.html]")
        ->type_name("FILE");
    commands.push_back({app, [report](Session& s) { return report->run(s); }});
}

}  // namespace ingot::cli
