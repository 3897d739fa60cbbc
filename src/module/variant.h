// Which bodies of the kernels a module is planned for.
#pragma once

#include <string>

#include "config/config.h"
#include "platforms/platform.h"

namespace ingot::module {

/// A kernel's bodies, the better the later. Each is compiled where the compiler has the
/// instructions, the portable one otherwise, with the same bits.
enum class Variant { portable, dsp, mve };

/// As reports say it: `portable`, `dsp`, `mve`.
const char* name(Variant variant);

/// The best bodies that a module may have: those of `platform.cpu` and its features, and the
/// portable ones whatever the core with `kernels.optimize: portable`.
Variant planned_variant(const config::Config& config, const platforms::Platform& platform);

/// The body of a kernel (`conv_2d_s8`) in a module that is planned for `planned`: the best that
/// the kernel has and not above it. Throws std::logic_error when there is no such kernel.
Variant kernel_variant(const std::string& kernel, Variant planned);

}  // namespace ingot::module
