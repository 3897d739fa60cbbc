#include "ops/view.h"

namespace ingot::ops {

namespace {

bool types_agree(const OperatorView& op) {
    return op.input(0).type == op.output().type && ir::bits(op.input(0).type) > 0;
}

/// A view of a variable would show its later values.
bool input_is_no_variable(const OperatorView& op) {
    return !op.input(0).variable;
}

}  // namespace

std::vector<Constraint> view_constraints(std::vector<Constraint> own) {
    std::vector<Constraint> all = {
        {"input and output have the same type, one of fixed size", types_agree},
        {"the input is no variable", input_is_no_variable},
    };
    all.insert(all.end(), own.begin(), own.end());
    return all;
}

void lower_view(Lowering& op) {
    op.view(0, 0);
    op.step().note = "a view, no code";
}

}  // namespace ingot::ops
