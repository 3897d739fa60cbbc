// The memory plan: where every tensor lives, and how good that is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/config.h"
#include "platforms/platform.h"
#include "program/execute.h"
#include "program/program.h"
#include "support/diagnostics.h"

namespace ingot::memory {

using program::Role;
using program::TensorId;

/// First and last step in which a tensor is live, both inclusive. Steps count from 0; an input
/// is live from -1 (before the first step), an output up to the number of steps.
struct Lifetime {
    std::int64_t first = 0;
    std::int64_t last = 0;

    bool overlaps(const Lifetime& other) const {
        return first <= other.last && other.first <= last;
    }
    bool operator==(const Lifetime&) const = default;
};

/// Lifetimes by TensorId; a view and its root have the union of both. Constants and persistent
/// tensors live through the whole program. With `inputs_overwritable` false, inputs live to
/// the end. A scratch tensor that nothing mentions is live at -1.
std::vector<Lifetime> lifetimes(const program::Program& program, bool inputs_overwritable);

/// Which rule decided what, for `--explain` and -v.
struct Decision {
    std::vector<std::string> matched_rules;  ///< their origins, least specific first
    std::string reason;        ///< `rule config.yaml:7:7`, `platform order`, `spilled …`
    std::string spilled_from;  ///< the memory that was wanted first and had no room; else empty

    /// Bytes moved an inference by all accesses of the root and its views.
    std::uint64_t touched_bytes = 0;
    double cost = 0;         ///< touched_bytes times the read_cost of the memory that it got
    double wanted_cost = 0;  ///< the same of the memory that was wanted first
    // What it lost against; only where spilled_from isn't empty.
    std::string bound_by;       ///< the memory whose budget has no room for it
    std::uint64_t over_by = 0;  ///< bytes over that budget with it; 0: no packing was found
};

/// What the choice of memories costs an inference, and how near that is to the best. A cost is
/// bytes touched times the memory's read_cost, over all tensors.
struct Assignment {
    double cost = 0;
    double fastest = 0;  ///< the cost if everything were in the memory that is read fastest
    /// No choice within the budgets that keeps rules and orders of preference costs less than
    /// `cost` by more than this; 0: proven optimal.
    double gap = 0;
    bool optimal() const { return gap == 0; }
};

/// One arena: one role in one memory; constants by destination and source.
struct Region {
    Role role = Role::scratch;
    std::string memory;          ///< where the kernels read and write, lower case
    std::string source_memory;   ///< where a constant's bytes are stored; else the same
    std::string enum_name;       ///< `aot_arena_const_dtcm`
    std::size_t size = 0;        ///< bytes used, rounded up to the alignment
    std::size_t alignment = 16;  ///< bytes
    /// total_size of the report: what the memory's budget leaves a scratch arena after the other
    /// arenas in it; the arena's size where there is no limit, and for constants and state.
    std::uint64_t budget = 0;
    std::vector<TensorId> tensors;  ///< placed in it, TensorId ascending; views included

    // Scratch regions.
    std::size_t peak_live = 0;    ///< most bytes live in one step, each tensor rounded up to 16
    std::size_t lower_bound = 0;  ///< no plan without overlap is smaller; a multiple of alignment
    /// No plan is smaller in which outputs lie over dying inputs where their kernels permit it.
    /// Never above `lower_bound`; the same with planner `greedy`, which lays nothing over another.
    std::size_t overlap_lower_bound = 0;
    bool optimal = false;         ///< `size` is proven minimal for this order and these permissions
    std::size_t greedy_size = 0;  ///< bytes: what plan_greedy needs for the same buffers

    bool staged() const { return role == Role::constant && memory != source_memory; }
    /// Bytes of a constant region in the order of its offsets, gaps zero; `size` bytes.
    std::vector<std::uint8_t> contents(const program::Program& program,
                                       const struct MemoryPlan& plan) const;
};

struct Placement {
    std::size_t region = 0;  ///< index into MemoryPlan::regions, which is the region's id
    std::size_t offset = 0;  ///< bytes
};

/// Where a rule `code_placement` puts code.
struct CodePlacement {
    std::string memory;  ///< lower case
    std::string reason;  ///< `rule config.yaml:7:7`
};

/// Operators' own functions by the step's name, kernels by theirs. What is absent goes wherever
/// the linker puts code.
struct CodePlan {
    std::map<std::string, CodePlacement> operators;
    std::map<std::string, CodePlacement> kernels;
};

struct MemoryPlan {
    std::vector<Region> regions;                       ///< in region id order
    std::vector<std::optional<Placement>> placements;  ///< by TensorId; views as their root
    std::vector<Lifetime> lifetimes;                   ///< by TensorId
    std::vector<Decision> decisions;                   ///< by TensorId
    std::vector<bool> backwards;  ///< by step: its kernel must run from the last element on
    CodePlan code;
    Assignment assignment;

    /// The plan as the host executor takes it.
    program::Layout layout() const;
};

/// Offsets that a model brings along, as its metadata has them; see offline_plan.h.
struct OfflineEntry {
    std::vector<std::uint8_t> data;
    std::size_t subgraph = 0;  ///< the one that is planned
    /// By tensor of that subgraph as it is in the model: neither constant nor variable.
    std::vector<bool> in_arena;
};

struct PlanOptions {
    config::MemoryConfig memory;
    std::vector<config::Rule> operators;  ///< for scratch_placement and code_placement
    std::string prefix = "aot";
    bool inputs_overwritable = true;
    bool ignore_budgets = false;  ///< `run` and `inspect`
    /// The model's entry `OfflineMemoryAllocation`; nothing when there is none or it isn't asked
    /// for (memory.honor_offline_plan).
    std::optional<OfflineEntry> offline = std::nullopt;
};

/// Plans. Notes (rules that match nothing) go to `diagnostics`. Throws Failure(usage) for a
/// rule that names an unknown memory and for fixed tensors in each other's way, Failure(memory)
/// with a table when nothing fits.
MemoryPlan plan(const program::Program& program, const platforms::Platform& platform,
                const PlanOptions& options, support::Diagnostics& diagnostics);

/// Checks a plan from its definition: every tensor has a place in an
/// arena of its role, aligned and within bounds; views are where their roots are; lifetimes are
/// not too short; no two tensors that are live together share bytes, but for equal constants and
/// for what a step permits (program::Overlap).
/// Throws std::logic_error.
void verify(const program::Program& program, const MemoryPlan& plan);

/// Makes the steps run in the direction that the plan's overlaps need.
void set_directions(program::Program& program, const MemoryPlan& plan);

}  // namespace ingot::memory
