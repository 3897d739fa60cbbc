#include "program/execute.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "ir/graph.h"
#include "support/arithmetic.h"
#include "support/diagnostics.h"

namespace ingot::program {

namespace {

constexpr std::size_t kAlignment = 16;

/// The sum of the arenas' sizes, checked against the limit.
void check_sizes(const Layout& layout) {
    std::size_t total = 0;
    for (const std::size_t size : layout.arena_sizes) {
        if (size > Instance::kLimit || total > Instance::kLimit - size) {
            throw support::Failure(support::ExitStatus::memory, "",
                                   "the model needs more than 1 GiB of memory to run here");
        }
        total += size;
    }
}

void check_steps(const Program& program) {
    std::vector<support::Diagnostic> errors;
    for (const Step& step : program.steps) {
        if (!step.custom) continue;
        errors.push_back({support::Severity::error,
                          "operator " + std::to_string(step.op_index) + " (CUSTOM " +
                              ir::printable(step.custom->name) + ")",
                          "a custom operator can't be executed on the host: only the application "
                          "has its code",
                          "build the module with the application and run it there"});
    }
    if (!errors.empty()) throw support::Failure(support::ExitStatus::model, std::move(errors));
}

void check_places(const Program& program, const Layout& layout) {
    if (layout.places.size() != program.tensors.size()) {
        throw std::logic_error("layout: not a place for each tensor");
    }
    for (TensorId id = 0; id < program.tensors.size(); ++id) {
        const Place& place = layout.places[id];
        const Tensor& tensor = program.tensors[id];
        if (place.arena >= layout.arena_sizes.size() ||
            place.offset > layout.arena_sizes[place.arena] ||
            tensor.size > layout.arena_sizes[place.arena] - place.offset) {
            throw std::logic_error("layout: " + tensor.id + " lies outside of its arena");
        }
    }
}

std::vector<std::uint64_t> aligned_descriptor(const Call& call) {
    const std::vector<std::uint8_t> bytes = pack_descriptor(*call.kernel, call.descriptor);
    std::vector<std::uint64_t> words((bytes.size() + 7) / 8);
    std::memcpy(words.data(), bytes.data(), bytes.size());
    return words;
}

}  // namespace

Layout separate_layout(const Program& program) {
    Layout layout;
    layout.places.resize(program.tensors.size());
    for (TensorId id = 0; id < program.tensors.size(); ++id) {
        if (program.tensors[id].view_of) continue;
        layout.places[id].arena = layout.arena_sizes.size();
        layout.arena_sizes.push_back(program.tensors[id].size);
    }
    for (TensorId id = 0; id < program.tensors.size(); ++id) {
        layout.places[id].arena = layout.places[program.root(id)].arena;
        layout.places[id].offset = program.root_offset(id);
    }
    return layout;
}

Instance::Instance(const Program& program, const Layout& layout)
    : program_(program), layout_(layout) {
    check_steps(program_);
    check_sizes(layout_);
    check_places(program_, layout_);
    for (const std::size_t size : layout_.arena_sizes) {
        arenas_.emplace_back(support::align_up(size, kAlignment) / kAlignment);
    }
    for (const Step& step : program_.steps) {
        auto& calls = descriptors_.emplace_back();
        for (const Call& call : step.calls) calls.push_back(aligned_descriptor(call));
    }
    reset();
}

void Instance::reset() {
    for (TensorId id = 0; id < program_.tensors.size(); ++id) {
        const Tensor& tensor = program_.tensors[id];
        if (tensor.view_of) continue;
        const std::span<std::uint8_t> memory = bytes(id);
        if (tensor.role == Role::constant) {
            std::copy(tensor.data.begin(), tensor.data.end(), memory.begin());
        } else if (tensor.role == Role::persistent) {
            std::fill(memory.begin(), memory.end(), tensor.initial_byte);
        }
    }
}

std::span<std::uint8_t> Instance::bytes(TensorId tensor) {
    const Place& place = layout_.places.at(tensor);
    auto* arena = reinterpret_cast<std::uint8_t*>(arenas_[place.arena].data());
    return {arena + place.offset, program_.tensor(tensor).size};
}

std::int32_t Instance::run(const StepObserver& after_step) {
    std::vector<void*> pointers;
    for (std::size_t s = 0; s < program_.steps.size(); ++s) {
        const Step& step = program_.steps[s];
        for (std::size_t c = 0; c < step.calls.size(); ++c) {
            const Call& call = step.calls[c];
            pointers.clear();
            for (const auto& argument : call.arguments) {
                pointers.push_back(argument ? bytes(*argument).data() : nullptr);
            }
            const std::int32_t status = call.kernel->invoke(descriptors_[s][c].data(), pointers);
            if (status != 0) return status;
        }
        if (after_step) after_step(s);
    }
    return 0;
}

}  // namespace ingot::program
