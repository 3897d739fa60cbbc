// The program of the demo fixture, tensor for tensor, with the sizes that its published
// residency report gives.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "memory/plan.h"
#include "platforms/platform.h"
#include "program/program.h"

namespace ingot::testing {

/// The bytes of tests/data/demo-residency.json.
std::string demo_report_text();

/// CONV_2D, MAX_POOL_2D, CONV_2D, AVERAGE_POOL_2D, RESHAPE, SVDF, FULLY_CONNECTED, SOFTMAX.
program::Program demo_program();

/// apollo510_evb, as platforms/apollo510_evb.yaml describes it.
platforms::Platform demo_platform();

/// demo_program planned with `options`, verified.
memory::MemoryPlan demo_plan(const program::Program& program, const memory::PlanOptions& options);

}  // namespace ingot::testing
