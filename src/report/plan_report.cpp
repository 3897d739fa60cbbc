#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "report/reports.h"
#include "report/residency.h"

namespace ingot::report {
namespace {

using memory::MemoryPlan;
using nlohmann::json;
using program::Program;
using program::Step;
using program::TensorId;

class PlanReport {
  public:
    PlanReport(const Program& program, const MemoryPlan& plan, const ReportOptions& options)
        : program_(program), plan_(plan), options_(options) {}

    json build() const {
        json operators = json::array();
        for (std::size_t s = 0; s < program_.steps.size(); ++s) operators.push_back(one(s));
        json arenas = json::array();
        for (std::size_t r = 0; r < plan_.regions.size(); ++r) arenas.push_back(arena(r));
        json tensors = json::array();
        for (TensorId id : report_order(program_, plan_)) tensors.push_back(tensor(id));
        return {{"arenas", std::move(arenas)},
                {"compiler_version", options_.compiler_version},
                {"cpu", options_.platform.cpu},
                {"model", options_.model_name},
                {"module_prefix", options_.prefix},
                {"operators", std::move(operators)},
                {"plan_hash", plan_hash(plan_)},
                {"planner", options_.planner == config::Planner::greedy ? "greedy" : "best"},
                {"platform", options_.platform.name},
                {"schema_version", kPlanSchema},
                {"tensor_layout_hash", tensor_layout_hash(program_, plan_)},
                {"tensors", std::move(tensors)}};
    }

  private:
    json arena(std::size_t r) const {
        const memory::Region& region = plan_.regions[r];
        return {{"alignment", region.alignment},
                {"enum_name", region.enum_name},
                {"memory", region.memory},
                {"region_id", r},
                {"role", program::name(region.role)},
                {"source_memory", region.source_memory},
                {"used", region.size}};
    }

    json place(TensorId id) const {
        const auto& placement = plan_.placements.at(id);
        if (!placement) return nullptr;
        const memory::Region& region = plan_.regions[placement->region];
        return {{"memory", region.memory},
                {"offset", placement->offset},
                {"region", region.enum_name},
                {"source_memory", region.source_memory}};
    }

    json tensor(TensorId id) const {
        const program::Tensor& t = program_.tensor(id);
        const memory::Lifetime& life = plan_.lifetimes.at(id);
        const memory::Decision& decision = plan_.decisions.at(id);
        return {
            {"decided_by", decision.reason},
            {"id", t.id},
            {"lifetime", {{"first", life.first}, {"last", life.last}}},
            {"matched_rules", decision.matched_rules},
            {"name", t.name},
            {"placement", place(id)},
            {"role", program::name(t.role)},
            {"shape", t.shape},
            {"size", t.size},
            {"type", ir::name(t.type)},
            {"view_offset", program_.root_offset(id)},
            {"view_of", t.view_of ? json(program_.tensor(program_.root(id)).id) : json(nullptr)}};
    }

    json use(TensorId id, std::string_view how, std::uint64_t touched) const {
        return {{"id", program_.tensor(id).id},
                {"placement", place(id)},
                {"size", program_.tensor(id).size},
                {"touched_bytes", touched},
                {"use", how}};
    }

    static json code(const std::map<std::string, memory::CodePlacement>& placed,
                     const std::string& name) {
        const auto found = placed.find(name);
        if (found == placed.end()) return nullptr;
        return {{"decided_by", found->second.reason}, {"memory", found->second.memory}};
    }

    // Where outputs lie over inputs that die here, views left out.
    json overlaps(std::size_t s) const {
        const Step& step = program_.steps[s];
        const bool backwards = plan_.backwards.at(s);
        json result = json::array();
        for (const program::Access& read : step.reads) {
            for (const program::Access& write : step.writes) {
                const std::size_t bytes = shared_bytes(read.tensor, write.tensor);
                if (bytes == 0) continue;
                const auto from = static_cast<std::int64_t>(plan_.placements[read.tensor]->offset);
                const auto to = static_cast<std::int64_t>(plan_.placements[write.tensor]->offset);
                result.push_back({{"bytes", bytes},
                                  {"direction", backwards ? "backwards" : "forwards"},
                                  {"distance", backwards ? to - from : from - to},
                                  {"input", program_.tensor(read.tensor).id},
                                  {"output", program_.tensor(write.tensor).id}});
            }
        }
        return result;
    }

    // The bytes that two tensors have in common which are none the other's view.
    std::size_t shared_bytes(TensorId a, TensorId b) const {
        const auto& at = plan_.placements.at(a);
        const auto& other = plan_.placements.at(b);
        if (!at || !other || at->region != other->region || program_.root(a) == program_.root(b)) {
            return 0;
        }
        const std::size_t begin = std::max(at->offset, other->offset);
        const std::size_t end =
            std::min(at->offset + program_.tensor(a).size, other->offset + program_.tensor(b).size);
        return end > begin ? end - begin : 0;
    }

    json one(std::size_t s) const {
        const Step& step = program_.steps[s];
        json kernels = json::array();
        for (const program::Call& call : step.calls) {
            kernels.push_back(
                {{"code_placement", code(plan_.code.kernels, call.kernel->name)},
                 {"name", call.kernel->name},
                 {"variant", options_.variant ? options_.variant(*call.kernel) : "portable"}});
        }
        if (step.custom) {
            kernels.push_back({{"code_placement", nullptr},
                               {"name", options_.prefix + "_custom_" + step.custom->function},
                               {"variant", "application"}});
        }
        json tensors = json::array();
        std::uint64_t scratch_bytes = 0;
        for (const program::Access& a : step.reads) {
            tensors.push_back(use(a.tensor, "read", a.touched_bytes));
        }
        for (const program::Access& a : step.writes) {
            tensors.push_back(use(a.tensor, "write", a.touched_bytes));
        }
        for (TensorId id : step.scratch) {
            scratch_bytes += program_.tensor(id).size;
            tensors.push_back(use(id, "scratch", 2 * std::uint64_t{program_.tensor(id).size}));
        }
        for (const program::Access& a : step.constants) {
            tensors.push_back(use(a.tensor, "constant", a.touched_bytes));
        }
        json overlap = overlaps(s);
        std::size_t overlap_bytes = 0;
        for (const json& pair : overlap) overlap_bytes += pair["bytes"].get<std::size_t>();
        return {{"code_placement", code(plan_.code.operators, step.name)},
                {"id", step.op_index},
                {"kernels", std::move(kernels)},
                {"label", step.label},
                {"macs", step.macs},
                {"name", step.name},
                {"note", step.note},
                {"output_overlap", overlap_bytes},
                {"overlap", overlap.empty() ? json(nullptr) : std::move(overlap)},
                {"scratch_bytes", scratch_bytes},
                {"tensors", std::move(tensors)},
                {"type", step.op_type},
                {"view", step.is_view()}};
    }

    const Program& program_;
    const MemoryPlan& plan_;
    const ReportOptions& options_;
};

}  // namespace

json plan_report(const Program& program, const MemoryPlan& plan, const ReportOptions& options) {
    return PlanReport(program, plan, options).build();
}

}  // namespace ingot::report
