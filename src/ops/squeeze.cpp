// SQUEEZE: a view without dimensions of size 1.
#include <optional>

#include "ops/registry.h"
#include "ops/view.h"

namespace ingot::ops {

namespace {

/// Which dimensions SQUEEZE removes: those named (-1 is the last), or all of size 1. Nothing when
/// one is out of range or not of size 1.
std::optional<std::vector<bool>> squeezed(const OperatorView& op) {
    const ir::Shape& shape = op.input(0).shape;
    const std::vector<std::int64_t> named = op.op().attributes.get_ints("squeeze_dims");
    const auto rank = static_cast<std::int64_t>(shape.size());
    std::vector<bool> removed(shape.size());
    for (std::size_t i = 0; named.empty() && i < shape.size(); ++i) removed[i] = shape[i] == 1;
    for (const std::int64_t dimension : named) {
        if (dimension < -rank || dimension >= rank) return std::nullopt;
        const auto i = static_cast<std::size_t>(dimension < 0 ? dimension + rank : dimension);
        if (shape[i] != 1) return std::nullopt;
        removed[i] = true;
    }
    return removed;
}

bool squeeze_shape_agrees(const OperatorView& op) {
    const auto removed = squeezed(op);
    if (!removed) return false;
    ir::Shape left;
    for (std::size_t i = 0; i < removed->size(); ++i) {
        if (!(*removed)[i]) left.push_back(op.input(0).shape[i]);
    }
    return op.output().shape == left;
}

}  // namespace

const OperatorDefinition definitions::squeeze{
    .type = "SQUEEZE",
    .types = "any type of fixed size",
    .constraints = view_constraints({
        {"the dimensions to remove are 1, and the output has the others", squeeze_shape_agrees},
    }),
    .lower = lower_view,
};

}  // namespace ingot::ops
