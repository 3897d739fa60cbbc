// What the pictures of a plan are drawn from: `<p>_plan.json` and `<p>_report.json` joined, with
// what both leave to the reader worked out.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace ingot::report {

inline constexpr int kMapSchema = 1;  ///< `schema_version` of the memory map

/// Joins the two reports of one module into an object with
///
/// * `model`, `prefix`, `platform`, `cpu`, `planner`, `compiler_version`, `plan_hash`;
/// * `steps`, in the order of execution: `id`, `name`, `type`, `label`, `macs`, `kernels` (name and
///   variant), `note`, `view`, `scratch_bytes`, `constant_bytes`, `touched_bytes` (all memories),
///   `overlap_bytes` (of its outputs, laid over its inputs), and `reads`, `writes`, `work`,
///   `constants` as indices into `tensors`;
/// * `arenas`, in the order of region ids: `name`, `role`, `memory`, `source_memory`, `alignment`,
///   `used`, `limit` (bytes that the memory's budget leaves for it, null without a budget), and for
///   scratch `lower_bound`, `overlap_lower_bound`, `optimal`, `greedy` (null when not tried),
///   `live` and `occupied` (bytes by slot; tensors that lie over one another count twice in `live`
///   and once in `occupied`; sizes rounded up to 16) and `peak` (the first slot with most
///   occupied);
/// * `tensors`: `id`, `name`, `role`, `kind` (`input`, `output`, `activation`, `work`, `state`,
///   `constant`), `type`, `shape`, `size`, `arena` (index), `offset`, `first`, `last` (slots,
///   inclusive), `view_of` and `producer` (index or null), `why`, `rules`;
/// * `overlaps`, where an output lies over an input: `slot`, `input`, `output`, `arena`, `offset`,
///   `size`;
/// * `memories`, `hints`, `spilled`, `transforms`, `totals` and `stack` of the report.
///
/// A slot is a step plus one: slot 0 is before the first step, the last slot after the last step.
/// `where` names the reports in messages. Throws Failure(io) when they aren't what their schemas
/// say, or not of one module.
nlohmann::json memory_map(const nlohmann::json& plan, const nlohmann::json& report,
                          const std::string& where);

}  // namespace ingot::report
