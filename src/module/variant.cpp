#include "module/variant.h"

#include <algorithm>
#include <initializer_list>

#include "module/kernel_source.h"

namespace ingot::module {
namespace {

bool mentions(const KernelSources& sources, const std::string& macro) {
    const auto in = [&macro](const std::string& part) {
        return part.find(macro) != std::string::npos;
    };
    return std::any_of(sources.header_parts.begin(), sources.header_parts.end(), in) ||
           std::any_of(sources.source_parts.begin(), sources.source_parts.end(), in);
}

}  // namespace

const char* name(Variant variant) {
    constexpr const char* kNames[] = {"portable", "dsp", "mve"};
    return kNames[static_cast<int>(variant)];
}

Variant planned_variant(const config::Config& config, const platforms::Platform& platform) {
    if (config.optimize == config::Optimize::portable) return Variant::portable;
    const auto core_is_one_of = [&platform](std::initializer_list<const char*> cores) {
        return std::find(cores.begin(), cores.end(), platform.cpu) != cores.end();
    };
    if (core_is_one_of({"cortex-m55", "cortex-m85"}) && platform.has("mve")) {
        return Variant::mve;
    }
    const bool may_have_dsp =
        core_is_one_of({"cortex-m4", "cortex-m7", "cortex-m33", "cortex-m55", "cortex-m85"});
    return may_have_dsp && platform.has("dsp") ? Variant::dsp : Variant::portable;
}

Variant kernel_variant(const std::string& kernel, Variant planned) {
    // Kernels choose their bodies by the compiler's macros, helpers of theirs too.
    const KernelSources sources = kernel_sources({kernel}, "ingot");
    if (planned >= Variant::mve && mentions(sources, "__ARM_FEATURE_MVE")) return Variant::mve;
    if (planned >= Variant::dsp && mentions(sources, "__ARM_FEATURE_DSP")) return Variant::dsp;
    return Variant::portable;
}

}  // namespace ingot::module
