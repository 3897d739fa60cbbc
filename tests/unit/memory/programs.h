// Hand-made programs for tests of the planner and of the reports: no kernels, only tensors.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "memory/plan.h"
#include "platforms/platform.h"
#include "program/program.h"

namespace ingot::testing {

using program::Program;
using program::Role;
using program::TensorId;

class Builder {
  public:
    /// A tensor of the model with the next free index, or the one given.
    TensorId activation(std::size_t size, int index = -1) {
        return add(Role::scratch, size, index);
    }
    TensorId state(std::size_t size, int index = -1) { return add(Role::persistent, size, index); }
    TensorId constant(std::vector<std::uint8_t> bytes, int index = -1) {
        const TensorId id = add(Role::constant, bytes.size(), index);
        program.tensors[id].data = std::move(bytes);
        return id;
    }
    /// A constant whose bytes no other call with a different `seed` gives.
    TensorId weights(std::size_t size, int seed, int index = -1) {
        return constant(bytes_of(size, seed), index);
    }
    TensorId view(TensorId of, int index = -1) {
        const TensorId id = add(program.tensors[of].role, program.tensors[of].size, index);
        program.tensors[id].view_of = of;
        return id;
    }

    static std::vector<std::uint8_t> bytes_of(std::size_t size, int seed) {
        std::vector<std::uint8_t> bytes(size);
        for (std::size_t i = 0; i < size; ++i) {
            bytes[i] = static_cast<std::uint8_t>((seed >> (8 * (i % 4))) + static_cast<int>(i / 4));
        }
        return bytes;
    }

    /// Adds an operator; every tensor is touched once.
    program::Step& step(const std::string& type, const std::vector<TensorId>& reads,
                        const std::vector<TensorId>& writes,
                        const std::vector<TensorId>& constants = {}) {
        program::Step s;
        s.op_index = static_cast<std::int32_t>(program.steps.size());
        s.op_type = type;
        std::string stem = type;
        for (char& c : stem) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        s.name = stem + "_" + std::to_string(s.op_index);
        s.label = "model/" + s.name;
        for (TensorId id : reads) s.reads.push_back(access(id));
        for (TensorId id : writes) s.writes.push_back(access(id));
        for (TensorId id : constants) s.constants.push_back(access(id));
        program.steps.push_back(std::move(s));
        return program.steps.back();
    }
    /// Adds a work buffer to the last operator.
    TensorId scratch(const std::string& suffix, std::size_t size) {
        const TensorId id = added(Role::scratch, suffix, size);
        program.steps.back().scratch.push_back(id);
        return id;
    }
    /// Adds a constant that the compiler made to the last operator.
    TensorId made(const std::string& suffix, std::vector<std::uint8_t> bytes) {
        const TensorId id = added(Role::constant, suffix, bytes.size());
        program.tensors[id].data = std::move(bytes);
        program.steps.back().constants.push_back(access(id));
        return id;
    }

    Program program;

  private:
    TensorId add(Role role, std::size_t size, int index) {
        program::Tensor tensor;
        if (index >= 0) next_ = index;
        tensor.model_index = next_++;
        tensor.id = std::to_string(tensor.model_index);
        tensor.name = "model/tensor_" + tensor.id;
        tensor.role = role;
        tensor.size = size;
        tensor.shape = {static_cast<std::int32_t>(size)};
        program.tensors.push_back(std::move(tensor));
        return program.tensors.size() - 1;
    }
    TensorId added(Role role, const std::string& suffix, std::size_t size) {
        const TensorId id = add(role, size, -1);
        --next_;
        program.tensors[id].model_index = -1;
        program.tensors[id].id = program.steps.back().name + "_" + suffix;
        program.tensors[id].name.clear();
        return id;
    }
    program::Access access(TensorId id) const { return {id, program.tensors[id].size}; }

    int next_ = 0;
};

/// A memory for a made-up platform.
inline platforms::Memory memory(const std::string& name, std::optional<std::uint64_t> size,
                                bool writable = true, double read_cost = 1.0) {
    platforms::Memory result;
    result.name = name;
    result.size = size;
    result.writable = writable;
    result.is_volatile = writable;
    result.read_cost = read_cost;
    return result;
}

/// Three memories: `fast` and `slow` RAM and `flash`; scratch and state prefer the fast one,
/// constants the flash.
inline platforms::Platform small_platform(std::uint64_t fast, std::uint64_t slow,
                                          std::uint64_t flash) {
    platforms::Platform platform;
    platform.name = "small";
    platform.cpu = "cortex-m4";
    platform.memories = {memory("fast", fast, true, 1.0), memory("slow", slow, true, 2.0),
                         memory("flash", flash, false, 4.0)};
    platform.order = {std::vector<std::string>{"fast", "slow"},
                      std::vector<std::string>{"fast", "slow"}, std::vector<std::string>{"flash"}};
    return platform;
}

/// A rule of memory.tensors that stands in line `line` of config.yaml.
inline config::Rule rule(int line, const std::string& type, std::vector<std::string> ids,
                         std::vector<std::string> memories) {
    config::Rule result;
    result.type = type;
    result.ids = std::move(ids);
    if (!memories.empty()) result.memory = std::move(memories);
    result.origin = {"config.yaml", line, 7};
    return result;
}

}  // namespace ingot::testing
