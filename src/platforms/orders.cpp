#include "platforms/orders.h"

#include <algorithm>
#include <set>

#include "config/lists.h"
#include "config/yaml.h"
#include "support/diagnostics.h"
#include "support/suggest.h"

namespace ingot::platforms {
namespace {

constexpr std::size_t kConstant = 2;

// The memories whose macros every module has.
constexpr std::array<std::string_view, 6> kReferenceMemories = {"dtcm", "sram",  "dram",
                                                                "mram", "psram", "itcm"};

void check_order(const Platform& platform, std::size_t role, const std::string& where,
                 support::Diagnostics& diagnostics) {
    const std::string order = std::string("the order for ") + kRoles[role];
    std::set<std::string> seen;
    for (const std::string& name : platform.order[role]) {
        const Memory* memory = platform.find(name);
        if (memory == nullptr) {
            diagnostics.error(where, order + " names the unknown memory " + config::in_quotes(name),
                              support::did_you_mean(name, memory_names(platform)));
        } else if (!holds(*memory, role)) {
            diagnostics.error(where, order + " names " + name + ", which is not writable");
        }
        if (!seen.insert(name).second) {
            diagnostics.error(where, order + " names " + config::in_quotes(name) + " twice");
        }
    }
    if (platform.order[role].empty()) {
        diagnostics.error(where, order + " has no memory",
                          "give a writable memory of kind volatile, or an order");
    }
}

}  // namespace

bool holds(const Memory& memory, std::size_t role) {
    return role == kConstant || memory.writable;
}

std::vector<std::string> default_order(const std::vector<Memory>& memories, std::size_t role) {
    const bool nonvolatile = std::any_of(memories.begin(), memories.end(), [](const Memory& m) {
        return !m.is_volatile && !m.code_only;
    });
    std::vector<std::string> order;
    for (const Memory& memory : memories) {
        if (memory.code_only) continue;
        const bool fits = role == kConstant ? !nonvolatile || !memory.is_volatile
                                            : memory.writable && memory.is_volatile;
        if (fits) order.push_back(memory.name);
    }
    return order;
}

void apply_order(Platform& platform, const std::map<std::string, std::vector<std::string>>& order) {
    for (std::size_t role = 0; role < kRoles.size(); ++role) {
        const auto given = order.find(kRoles[role]);
        if (given != order.end()) platform.order[role] = given->second;
    }
}

std::vector<std::string> memory_names(const Platform& platform) {
    std::vector<std::string> result;
    for (const Memory& memory : platform.memories) result.push_back(memory.name);
    return result;
}

void check(const Platform& platform, const std::string& where) {
    support::Diagnostics diagnostics;
    if (platform.memories.empty()) {
        diagnostics.error(where, "the platform has no memories");
    } else {
        for (std::size_t role = 0; role < kRoles.size(); ++role) {
            check_order(platform, role, where, diagnostics);
        }
    }
    for (const auto& [macro, text] : platform.section_macros) {
        const std::string memory = config::section_macro_memory(macro);
        const bool in_every_header = std::find(kReferenceMemories.begin(), kReferenceMemories.end(),
                                               memory) != kReferenceMemories.end();
        if (in_every_header || platform.find(memory) != nullptr) continue;
        diagnostics.error(where,
                          "section_macros names the unknown memory " + config::in_quotes(memory),
                          support::did_you_mean(memory, memory_names(platform)));
    }
    diagnostics.throw_if_errors(support::ExitStatus::usage);
}

}  // namespace ingot::platforms
