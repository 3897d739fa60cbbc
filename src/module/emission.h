// What the files of a module have in common, worked out once from its input: names, arenas,
// tensors, storage. The parts of the writer take their facts from here.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "memory/plan.h"
#include "module/kernel_source.h"
#include "module/module.h"
#include "program/program.h"

namespace ingot::module {

/// The constants of a region as they are stored: an array in the module, a file beside it, or
/// both.
struct Storage {
    std::size_t region = 0;  ///< index into the plan's regions
    std::string symbol;      ///< of the array
    std::string memory;      ///< where it is stored
    std::vector<std::uint8_t> bytes;
    bool in_module = false;  ///< the array is in the module
    std::string sidecar;     ///< file name; empty for none
};

class Emission {
  public:
    /// Keeps a reference to `input` and what it points to.
    explicit Emission(const ModuleInput& input);

    const program::Program& program() const { return *input_.program; }
    const memory::MemoryPlan& plan() const { return *input_.plan; }
    const config::Config& config() const { return *input_.config; }
    const platforms::Platform& platform() const { return *input_.platform; }
    const ModuleInput& input() const { return input_; }

    const std::string& prefix() const { return config().module.prefix; }
    const std::string& upper_prefix() const { return upper_prefix_; }
    /// The module's name as an identifier: of libraries and options.
    const std::string& id() const { return id_; }
    bool allocated() const { return config().memory.allocate_arenas; }

    /// `src/aot_conv_2d_0.c`, `includes-api/aot_conv_2d_0.h`.
    std::string source_file(const std::string& stem) const;
    std::string header_file(const std::string& stem) const;

    /// `aot_tensor_14`.
    std::string enumerator(program::TensorId id) const;
    /// The tensors in the order of enumerators.
    const std::vector<program::TensorId>& tensors() const { return tensors_; }
    const memory::Placement& placement(program::TensorId id) const;
    const memory::Region& region_of(program::TensorId id) const;

    /// Whether a run leaves the bytes of an input as they were.
    bool preserved(program::TensorId input) const;

    /// Whether the module has an array for the region that start-up code zeroes: scratch, state,
    /// the destination of staged constants.
    bool reserves(const memory::Region& region) const;
    /// The source file of the arrays that the module reserves in `memory`: that of the tensors
    /// when all are in one memory, else one for each, which a linker can place by its name.
    std::string arena_file(const std::string& memory) const;
    /// The source file of the constants that are stored in `memory`, likewise.
    std::string constants_file(const std::string& memory) const;
    /// The memories of those files, ascending.
    std::set<std::string> arena_memories() const;
    std::set<std::string> constant_memories() const;

    /// Constants in region order.
    const std::vector<Storage>& storage() const { return storage_; }
    /// Whether a memory keeps its contents without power (an unknown one doesn't).
    bool nonvolatile(const std::string& memory) const;
    /// `AOT_PUT_IN_DTCM`, or with `_INIT` for what start-up code fills.
    std::string placement_macro(const std::string& memory, bool initialised) const;

    /// `AOT_PUT_CODE_IN_ITCM` where a rule places the operator's code; else empty.
    std::string code_macro(const program::Step& step) const;
    /// The memories that have such a macro, lower case: itcm always, and those that rules name.
    std::set<std::string> code_memories() const;

    bool staged() const;
    const KernelSources& kernels() const { return kernels_; }

    /// Values that every template may use: prefix, PREFIX, module, model and the sizes of things.
    nlohmann::json base() const;

  private:
    void collect_storage();

    const ModuleInput& input_;
    std::string upper_prefix_;
    std::string id_;
    std::vector<program::TensorId> tensors_;
    std::vector<Storage> storage_;
    KernelSources kernels_;
};

}  // namespace ingot::module
