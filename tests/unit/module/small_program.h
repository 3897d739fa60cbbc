// A small program made by hand: a view, a kernel with state, a kernel without init.
#pragma once

#include "memory/plan.h"
#include "module/module.h"
#include "program/program.h"

namespace ingot::test {

/// RESHAPE (a view), SVDF (2 filters over 3 steps, with state) and FULLY_CONNECTED (packed, so
/// that it has no init): 4 int8 in, 3 int8 out.
program::Program small_program();

/// A module's input that owns what it points to.
struct SmallModule {
    explicit SmallModule(program::Program program, config::Config config = {});
    SmallModule(const SmallModule&) = delete;
    SmallModule& operator=(const SmallModule&) = delete;

    program::Program program;
    config::Config config;
    platforms::Platform platform;
    memory::MemoryPlan plan;
    module::ModuleInput input;
};

/// The configuration's test enabled, and `count` vectors from the host's execution.
void add_vectors(SmallModule& module, std::size_t count);

/// Constants stored in mram, read in dtcm.
config::Rule staging_rule();

}  // namespace ingot::test
