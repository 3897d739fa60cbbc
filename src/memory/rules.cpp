#include "memory/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "support/suggest.h"

namespace ingot::memory {
namespace {

using config::Rule;
using platforms::Memory;
using platforms::Platform;
using program::Program;
using program::Step;
using support::Diagnostics;

char upper(char c) {
    return static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return upper(x) == upper(y); });
}

bool any_type(const Rule& rule) {
    return rule.type.empty() || rule.type == "*";
}

bool covers(const std::vector<std::string>& patterns, std::string_view id) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const std::string& p) { return glob_matches(p, id); });
}

bool matches_type(const Rule& rule, const Program& program, const Item& item) {
    if (any_type(rule) || equal_ignoring_case(rule.type, program::name(item.role))) return true;
    return std::any_of(item.steps.begin(), item.steps.end(), [&](std::size_t s) {
        return equal_ignoring_case(rule.type, program.steps[s].op_type);
    });
}

bool matches_id(const Rule& rule, const Program& program, const Item& item) {
    if (rule.ids.empty()) return true;
    for (TensorId id : item.members) {
        if (covers(rule.ids, program.tensor(id).id)) return true;
    }
    // An operator's name stands for all its tensors; only in full, because a glob is meant for
    // the tensors' ids, which begin with the same text.
    for (std::size_t s : item.steps) {
        for (const std::string& id : rule.ids) {
            if (equal_ignoring_case(id, program.steps[s].name)) return true;
        }
    }
    return false;
}

bool matches(const Rule& rule, const Program& program, const Item& item) {
    if (rule.min_size && item.size < *rule.min_size) return false;
    if (rule.max_size && item.size > *rule.max_size) return false;
    return matches_type(rule, program, item) && matches_id(rule, program, item);
}

std::vector<std::string> memory_names(const Platform& platform) {
    std::vector<std::string> result;
    for (const Memory& memory : platform.memories) result.push_back(memory.name);
    return result;
}

// The value of each attribute and the rule that gave it.
struct Merged {
    std::optional<std::vector<std::string>> memory;
    std::optional<std::vector<std::string>> destination;
    const Rule* memory_rule = nullptr;
    const Rule* destination_rule = nullptr;
    const Rule* offset_rule = nullptr;
    std::size_t alignment = kTensorAlignment;
};

class Resolver {
  public:
    Resolver(const Program& program, const Platform& platform, const PlanOptions& options,
             Diagnostics& diagnostics)
        : program_(program), platform_(platform), options_(options), diagnostics_(diagnostics) {
        for (std::size_t i = 0; i < platform.memories.size(); ++i) {
            index_.emplace(platform.memories[i].name, i);
        }
    }

    std::vector<Wish> resolve(const std::vector<Item>& items) {
        check_names();
        errors_.throw_if_errors(support::ExitStatus::usage);
        match_operator_rules();
        tensor_rule_used_.assign(options_.memory.tensors.size(), false);
        std::vector<Wish> wishes;
        wishes.reserve(items.size());
        for (const Item& item : items) wishes.push_back(wish(item));
        errors_.throw_if_errors(support::ExitStatus::usage);
        note_unused();
        return wishes;
    }

  private:
    // --- Names ---

    void check_name(const config::Origin& origin, const std::string& memory, bool may_be_auto) {
        if (index_.count(memory) != 0 || (may_be_auto && memory == "auto")) return;
        const std::vector<std::string> names = memory_names(platform_);
        std::string hint = support::did_you_mean(memory, names);
        if (hint.empty()) hint = fmt::format("it has {}", fmt::join(names, ", "));
        errors_.error(origin.to_text(),
                      fmt::format("platform '{}' has no memory '{}'", platform_.name, memory),
                      std::move(hint));
    }

    void check_code_memory(const Rule& rule) {
        check_name(rule.origin, *rule.code_placement, false);
        const auto found = index_.find(*rule.code_placement);
        if (found == index_.end() || platform_.memories[found->second].executable) return;
        std::vector<std::string> able;
        for (const Memory& memory : platform_.memories) {
            if (memory.executable) able.push_back(memory.name);
        }
        errors_.error(rule.origin.to_text(),
                      fmt::format("memory '{}' can't execute code", *rule.code_placement),
                      able.empty() ? "" : fmt::format("use {}", fmt::join(able, ", ")));
    }

    void check_names() {
        for (const config::MemoryConstraint& constraint : options_.memory.constraints) {
            check_name(constraint.origin, constraint.name, false);
        }
        for (const Rule& rule : options_.memory.tensors) {
            if (rule.memory) {
                for (const std::string& m : *rule.memory) check_name(rule.origin, m, false);
            }
            if (rule.constant_destination_memory) {
                for (const std::string& m : *rule.constant_destination_memory) {
                    check_name(rule.origin, m, true);
                }
            }
        }
        for (const Rule& rule : options_.operators) {
            if (rule.scratch_placement) {
                for (const std::string& m : *rule.scratch_placement) {
                    check_name(rule.origin, m, false);
                }
            }
            if (rule.code_placement) check_code_memory(rule);
        }
    }

    // --- Matching ---

    void match_operator_rules() {
        scratch_rules_.assign(program_.tensors.size(), {});
        for (const Rule& rule : options_.operators) {
            bool used = false;
            bool has_scratch = false;
            for (const Step& step : program_.steps) {
                if (!memory::matches(rule, step)) continue;
                used = true;
                if (!rule.scratch_placement) continue;
                has_scratch = has_scratch || !step.scratch.empty();
                for (TensorId id : step.scratch) scratch_rules_[program_.root(id)].push_back(&rule);
            }
            if (used && rule.scratch_placement && !has_scratch) {
                diagnostics_.note(rule.origin.to_text(),
                                  "scratch_placement has no effect: no operator that the rule "
                                  "matches has a work buffer");
            }
            if (!used) {
                diagnostics_.note(
                    rule.origin.to_text(), "the rule matches no operator",
                    unused_hint(rule, {}, "'ingot inspect' lists the operators and their ids"));
            }
        }
    }

    // A type near to one that the program has is probably a misspelling.
    std::string unused_hint(const Rule& rule, std::vector<std::string> types,
                            const std::string& otherwise) const {
        for (const Step& step : program_.steps) types.push_back(step.op_type);
        for (const std::string& type : types) {
            if (equal_ignoring_case(rule.type, type)) return otherwise;
        }
        const std::string near = support::did_you_mean(rule.type, types);
        return rule.type.empty() || near.empty() ? otherwise : near;
    }

    void note_unused() {
        for (std::size_t i = 0; i < tensor_rule_used_.size(); ++i) {
            if (tensor_rule_used_[i]) continue;
            const Rule& rule = options_.memory.tensors[i];
            diagnostics_.note(rule.origin.to_text(), "the rule matches no tensor",
                              unused_hint(rule, {"constant", "persistent", "scratch"},
                                          "'ingot inspect' lists the tensors and their ids"));
        }
    }

    // The rules that match, least specific first, in the order of the file among equals.
    std::vector<const Rule*> matching(const Item& item) {
        std::vector<const Rule*> result;
        for (std::size_t i = 0; i < options_.memory.tensors.size(); ++i) {
            const Rule& rule = options_.memory.tensors[i];
            if (!matches(rule, program_, item)) continue;
            tensor_rule_used_[i] = true;
            result.push_back(&rule);
        }
        const auto& of_operator = scratch_rules_[item.root];
        result.insert(result.end(), of_operator.begin(), of_operator.end());
        std::stable_sort(result.begin(), result.end(), [](const Rule* a, const Rule* b) {
            return specificity(*a) < specificity(*b);
        });
        return result;
    }

    Merged merge(const std::vector<const Rule*>& rules) const {
        Merged merged;
        for (const Rule* rule : rules) {
            if (rule->memory) {
                merged.memory = rule->memory;
                merged.memory_rule = rule;
            }
            if (rule->scratch_placement) {
                merged.memory = rule->scratch_placement;
                merged.memory_rule = rule;
            }
            if (rule->constant_destination_memory) {
                merged.destination = rule->constant_destination_memory;
                merged.destination_rule = rule;
            }
            if (rule->arena_alignment) {
                merged.alignment = static_cast<std::size_t>(*rule->arena_alignment);
            }
            if (rule->offset) merged.offset_rule = rule;
        }
        return merged;
    }

    // --- From names to candidates ---

    Wish wish(const Item& item) {
        const std::vector<const Rule*> rules = matching(item);
        const Merged merged = merge(rules);
        Wish wish;
        wish.alignment = std::max({kTensorAlignment, platform_.min_alignment, merged.alignment});
        for (const Rule* rule : rules) {
            wish.decision.matched_rules.push_back(rule->origin.to_text());
        }
        const std::vector<std::size_t> stored =
            merged.memory ? by_rule(item, *merged.memory, *merged.memory_rule)
                          : by_platform(item.role);
        if (item.role == Role::constant && merged.destination) {
            add_destinations(item, merged, stored, wish);
        } else {
            for (std::size_t m : stored) add(wish, {m, m});
        }
        wish.decision.reason = reason(item, merged);
        if (merged.offset_rule != nullptr) set_offset(item, *merged.offset_rule, wish);
        return wish;
    }

    // A rule that names a view says where the view begins.
    void set_offset(const Item& item, const Rule& rule, Wish& wish) {
        const auto named = std::find_if(item.members.begin(), item.members.end(), [&](TensorId id) {
            return covers(rule.ids, program_.tensor(id).id);
        });
        const TensorId tensor = named == item.members.end() ? item.root : *named;
        const std::size_t within = program_.root_offset(tensor);
        const auto refuse = [&](const std::string& why) {
            errors_.error(
                rule.origin.to_text(),
                fmt::format("{} tensor '{}' can't have the offset {}{}", program::name(item.role),
                            program_.tensor(tensor).id, *rule.offset, why));
        };
        if (item.role != Role::scratch) return refuse(": only scratch tensors can");
        if (*rule.offset < within || (*rule.offset - within) % kTensorAlignment != 0) {
            return refuse(
                fmt::format(": it begins {} bytes behind tensor '{}', whose offset would "
                            "be no multiple of {}",
                            within, program_.tensor(item.root).id, kTensorAlignment));
        }
        wish.offset = *rule.offset - within;
        wish.offset_by = "rule " + rule.origin.to_text();
        wish.candidates.resize(std::min<std::size_t>(wish.candidates.size(), 1));
    }

    static std::string reason(const Item& item, const Merged& merged) {
        std::string text = merged.memory_rule != nullptr
                               ? "rule " + merged.memory_rule->origin.to_text()
                               : std::string("platform order");
        if (item.role == Role::constant && merged.destination_rule != nullptr &&
            merged.destination_rule != merged.memory_rule) {
            text += ", destination by rule " + merged.destination_rule->origin.to_text();
        }
        return text;
    }

    static void add(Wish& wish, Candidate candidate) {
        auto& list = wish.candidates;
        if (std::find(list.begin(), list.end(), candidate) == list.end()) {
            list.push_back(candidate);
        }
    }

    std::vector<std::size_t> by_platform(Role role) {
        std::vector<std::size_t> result;
        for (const std::string& name : platform_.order.at(static_cast<std::size_t>(role))) {
            const auto found = index_.find(name);
            if (found == index_.end()) continue;
            const Memory& memory = platform_.memories[found->second];
            if (memory.code_only || (role != Role::constant && !memory.writable)) continue;
            result.push_back(found->second);
        }
        if (result.empty()) {
            throw support::Failure(support::ExitStatus::usage, {},
                                   fmt::format("platform '{}' has no memory for {} tensors",
                                               platform_.name, program::name(role)),
                                   "name its memories for this role under 'platform.order'");
        }
        return result;
    }

    // A list may name read-only memories for the constants among the tensors that it covers;
    // scratch and state pass them over, and need at least one that can be written to.
    std::vector<std::size_t> by_rule(const Item& item, const std::vector<std::string>& names,
                                     const Rule& rule) {
        std::vector<std::size_t> result;
        for (const std::string& name : names) {
            const std::size_t m = index_.at(name);
            if (item.role == Role::constant || platform_.memories[m].writable) result.push_back(m);
        }
        if (result.empty()) refuse_read_only(item, names, rule);
        return result;
    }

    void refuse_read_only(const Item& item, const std::vector<std::string>& names,
                          const Rule& rule) {
        if (!refused_.emplace(rule.origin.to_text(), item.role, names).second) return;
        errors_.error(rule.origin.to_text(),
                      fmt::format("{} tensor '{}' can't live in read-only memory '{}'",
                                  program::name(item.role), program_.tensor(item.root).id,
                                  fmt::join(names, ", ")),
                      "name a memory that can be written to, or limit the rule with "
                      "'type: constant'");
    }

    void add_destinations(const Item& item, const Merged& merged,
                          const std::vector<std::size_t>& stored, Wish& wish) {
        for (const std::string& name : *merged.destination) {
            if (name == "auto") {
                add_automatic(item, stored, wish);
                continue;
            }
            const std::size_t destination = index_.at(name);
            for (std::size_t source : stored) {
                if (destination == source || platform_.memories[destination].writable) {
                    add(wish, {destination, source});
                }
            }
        }
        if (wish.candidates.empty()) {
            refuse_read_only(item, *merged.destination, *merged.destination_rule);
        }
    }

    // `auto`: worth staging is a constant that an inference reads, into any writable memory that
    // is read faster than where it is stored, fastest first: each inference saves the bytes
    // touched times the difference of the costs. What the budgets have no room for stays cold.
    void add_automatic(const Item& item, const std::vector<std::size_t>& stored, Wish& wish) {
        for (std::size_t source : stored) {
            std::vector<std::size_t> faster;
            for (std::size_t m = 0; m < platform_.memories.size(); ++m) {
                const Memory& memory = platform_.memories[m];
                if (memory.writable && !memory.code_only &&
                    memory.read_cost < platform_.memories[source].read_cost) {
                    faster.push_back(m);
                }
            }
            std::stable_sort(faster.begin(), faster.end(), [&](std::size_t a, std::size_t b) {
                return platform_.memories[a].read_cost < platform_.memories[b].read_cost;
            });
            if (item.touched > 0) {
                for (std::size_t m : faster) add(wish, {m, source});
            }
            add(wish, {source, source});
        }
    }

    const Program& program_;
    const Platform& platform_;
    const PlanOptions& options_;
    Diagnostics& diagnostics_;
    Diagnostics errors_;
    std::map<std::string, std::size_t> index_;             // memory by name
    std::vector<std::vector<const Rule*>> scratch_rules_;  // by root
    std::vector<bool> tensor_rule_used_;
    std::set<std::tuple<std::string, Role, std::vector<std::string>>> refused_;
};

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view text) {
    std::size_t p = 0;
    std::size_t t = 0;
    std::size_t star = std::string_view::npos;  // the last `*`, and the text it has swallowed up to
    std::size_t mark = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            mark = t;
        } else if (p < pattern.size() &&
                   (pattern[p] == '?' || upper(pattern[p]) == upper(text[t]))) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++mark;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

int specificity(const Rule& rule) {
    return (any_type(rule) ? 0 : 1) + (rule.ids.empty() ? 0 : 2);
}

bool matches(const Rule& rule, const Step& step) {
    if (!any_type(rule) && !equal_ignoring_case(rule.type, step.op_type)) return false;
    return rule.ids.empty() || covers(rule.ids, std::to_string(step.op_index)) ||
           covers(rule.ids, step.name);
}

std::vector<Wish> resolve(const Program& program, const std::vector<Item>& items,
                          const Platform& platform, const PlanOptions& options,
                          Diagnostics& diagnostics) {
    return Resolver(program, platform, options, diagnostics).resolve(items);
}

}  // namespace ingot::memory
