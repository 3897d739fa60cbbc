#include <array>
#include <span>

#include "passes/pass.h"
#include "passes/passes.h"

namespace ingot::passes {

std::span<const Pass* const> registry() {
    // In the order they run: what one pass leaves dead or equal, a later one takes away.
    static const std::array passes = {
        &fold_constants(),  &collapse_views(),   &remove_dead_operators(), &fuse_pad(),
        &fuse_activation(), &intern_constants(), &drop_unread_constants(),
    };
    return passes;
}

std::vector<PassResult> run(ir::Graph& graph, const std::map<std::string, bool>& enabled,
                            const Environment& environment, const Observer& observer) {
    std::vector<PassResult> results;
    for (const Pass* pass : registry()) {
        PassResult result;
        result.name = std::string(pass->name);
        const auto setting = enabled.find(result.name);
        result.enabled = setting == enabled.end() ? pass->on_by_default : setting->second;
        if (result.enabled) {
            pass->run(graph, environment, result);
            ir::verify(graph, pass->name);
            if (observer) observer(*pass, graph);
        }
        results.push_back(std::move(result));
    }
    return results;
}

}  // namespace ingot::passes
