#include "program/program.h"

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <tuple>

namespace ingot::program {

std::string_view name(Role role) {
    switch (role) {
        case Role::scratch:
            return "scratch";
        case Role::persistent:
            return "persistent";
        case Role::constant:
            return "constant";
    }
    throw std::logic_error("unknown role");
}

TensorId Program::root(TensorId id) const {
    // verify() has seen that chains end.
    while (tensor(id).view_of) id = *tensor(id).view_of;
    return id;
}

std::size_t Program::root_offset(TensorId id) const {
    std::size_t offset = 0;
    for (; tensor(id).view_of; id = *tensor(id).view_of) offset += tensor(id).view_offset;
    return offset;
}

void run_backwards(Step& step) {
    bool found = false;
    for (Call& call : step.calls) {
        for (std::size_t f = 0; f < call.kernel->fields.size(); ++f) {
            if (call.kernel->fields[f].name != "backwards") continue;
            call.descriptor[f] = std::int64_t{1};
            found = true;
        }
    }
    if (!found) throw std::logic_error(step.name + " has no kernel that runs backwards");
}

bool runs_on_host(const Program& program) {
    return std::none_of(program.steps.begin(), program.steps.end(),
                        [](const Step& step) { return step.custom.has_value(); });
}

std::size_t constant_rank(std::string_view id, std::string_view step_name) {
    constexpr std::array<std::string_view, 4> kOrder = {"weight_sum", "multiplier", "shift",
                                                        "packed"};
    const std::string_view suffix = id.substr(std::min(id.size(), step_name.size() + 1));
    const auto found = std::find(kOrder.begin(), kOrder.end(), suffix);
    return static_cast<std::size_t>(found - kOrder.begin());
}

std::vector<TensorId> enumerator_order(const Program& program) {
    // Model tensors by index; the others by operator, whenever it runs, scratch buffers before
    // constants.
    using Key = std::tuple<std::int64_t, std::int32_t, std::size_t>;
    constexpr std::int64_t kAdded = std::int64_t{1} << 32;
    std::vector<Key> keys(program.tensors.size());
    for (const Step& step : program.steps) {
        for (const TensorId id : step.scratch) keys.at(id) = {kAdded, step.op_index, 0};
        for (const Access& access : step.constants) {
            const std::string& id = program.tensor(access.tensor).id;
            keys.at(access.tensor) = {kAdded, step.op_index, 1 + constant_rank(id, step.name)};
        }
    }
    std::vector<TensorId> order;
    for (TensorId id = 0; id < program.tensors.size(); ++id) {
        const Tensor& tensor = program.tensors[id];
        if (tensor.model_index >= 0) keys[id] = {tensor.model_index, 0, 0};
        order.push_back(id);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](TensorId a, TensorId b) { return keys[a] < keys[b]; });
    return order;
}

namespace {

void require(bool condition, const std::string& what) {
    if (!condition) throw std::logic_error("program: " + what);
}

bool ends_at_root(const Program& program, TensorId id) {
    std::size_t links = 0;
    while (program.tensor(id).view_of && ++links <= program.tensors.size()) {
        id = *program.tensor(id).view_of;
    }
    return links <= program.tensors.size();
}

void verify_tensors(const Program& program) {
    std::set<std::string> ids;
    for (TensorId id = 0; id < program.tensors.size(); ++id) {
        const Tensor& tensor = program.tensors[id];
        require(ids.insert(tensor.id).second, "tensor " + tensor.id + " is there twice");
        if (tensor.view_of) {
            require(ends_at_root(program, id), "view " + tensor.id + " has no root");
            const Tensor& root = program.tensors[program.root(id)];
            const std::size_t offset = program.root_offset(id);
            require(tensor.role == root.role && offset <= root.size &&
                        tensor.size <= root.size - offset,
                    "view " + tensor.id + " is not part of its root");
        } else if (tensor.role == Role::constant) {
            require(tensor.data.size() == tensor.size, "constant " + tensor.id + " has no bytes");
        }
    }
}

void verify_parts(const Program& program, const Step& step) {
    for (const Part& part : step.parts) {
        require(part.call < step.calls.size(), step.name + ": a part without its call");
        const std::size_t size = program.tensor(part.whole).size;
        require(part.offset <= size && program.tensor(part.part).size <= size - part.offset,
                step.name + ": a part is no part");
    }
}

void verify_calls(const Program& program, const Step& step) {
    for (const Call& call : step.calls) {
        require(call.kernel != nullptr, step.name + " calls no kernel");
        require(call.descriptor.size() == call.kernel->fields.size() &&
                    call.arguments.size() == call.kernel->arguments.size(),
                step.name + " does not match " + call.kernel->name);
        for (const auto& argument : call.arguments) {
            require(!argument || *argument < program.tensors.size(), step.name + ": an argument");
        }
    }
    if (!step.custom) return;
    require(step.calls.empty(), step.name + " is custom and calls kernels");
    for (const auto* list : {&step.custom->inputs, &step.custom->outputs}) {
        for (const auto& operand : *list) {
            require(!operand || *operand < program.tensors.size(), step.name + ": an operand");
        }
    }
}

}  // namespace

void verify(const Program& program) {
    verify_tensors(program);
    std::vector<bool> written(program.tensors.size());
    for (TensorId id = 0; id < program.tensors.size(); ++id) {
        written[id] = program.tensors[id].role != Role::scratch;
    }
    for (const TensorId id : program.inputs) written.at(id) = true;
    for (const Step& step : program.steps) {
        verify_calls(program, step);
        verify_parts(program, step);
        for (const Access& access : step.reads) {
            require(written.at(access.tensor),
                    step.name + " reads what nobody wrote: " + program.tensor(access.tensor).id);
        }
        for (const Access& access : step.constants) {
            require(program.tensor(access.tensor).role == Role::constant,
                    step.name + ": a constant's role");
        }
        for (const TensorId id : step.scratch) {
            require(program.tensor(id).role == Role::scratch, step.name + ": a buffer's role");
        }
        for (const Access& access : step.writes) written.at(access.tensor) = true;
    }
    for (const TensorId id : program.outputs) {
        require(written.at(id), "output " + program.tensor(id).id + " is never written");
    }
}

}  // namespace ingot::program
