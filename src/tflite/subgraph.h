// One subgraph of a file → ir::Graph, checked as a whole.
#pragma once

#include <cstddef>

#include "ir/graph.h"
#include "tflite/budget.h"
#include "tflite/schema_generated.h"

namespace ingot::tflite {

/// Reads subgraph `index` of a verified file: tensors, operators in the file's order, inputs
/// and outputs; checks indices, that every tensor is written once at most and not when it is
/// constant or an input, and that nothing is read before it is written. Throws Failure(model).
ir::Graph read_subgraph(const format::Model& model, std::size_t index, Budget& budget);

/// Checks the subgraphs that operators call: all of them exist and none is reached from
/// itself, because generated code has no recursion. Throws Failure(model).
void check_calls(const std::vector<ir::Graph>& subgraphs);

/// How messages name a place in a subgraph: `place` alone when the model has only one.
std::string in_subgraph(std::size_t subgraph, std::size_t subgraphs, const std::string& place);

}  // namespace ingot::tflite
