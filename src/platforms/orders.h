// Which memories a role may use, and in which order of preference.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "platforms/platform.h"

namespace ingot::platforms {

/// Names of the roles in program::Role's order.
inline constexpr std::array kRoles = {"scratch", "persistent", "constant"};

/// Whether tensors of the role may live there: what is written needs writable memory.
bool holds(const Memory& memory, std::size_t role);

/// Where a role goes when nobody says: writable RAM for what is written; constants stay in
/// nonvolatile memory where there is any.
std::vector<std::string> default_order(const std::vector<Memory>& memories, std::size_t role);

/// Puts the orders that are given in the place of the platform's.
void apply_order(Platform& platform, const std::map<std::string, std::vector<std::string>>& order);

/// The memories' names in the platform's order.
std::vector<std::string> memory_names(const Platform& platform);

/// Checks that there are memories and that every order names some of them, each once, that
/// hold the role. Throws Failure(usage) with every mistake at `where`.
void check(const Platform& platform, const std::string& where);

}  // namespace ingot::platforms
