#include "memory/first_fit.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>
#include <utility>

namespace ingot::memory {
namespace {

// What improving may do, in items looked at: a fraction of a second. A change of the ledger counts
// as many as it takes time.
constexpr std::size_t kWork = 8'000'000;
constexpr std::size_t kWorkOfChange = 200;

// The order in which items choose, as ascending keys.
using Key = std::function<std::tuple<int, double>(std::size_t item)>;
using Reserve = std::vector<std::uint64_t>;

std::vector<std::size_t> ordered(const Problem& problem, const Freedom& freedom, const Key& key) {
    std::vector<std::tuple<int, double>> keys;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < problem.items.size(); ++i) {
        keys.push_back(key(i));
        if (freedom.free[i]) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
    return order;
}

// What an item that loses its first memory costs more in the next one, for each byte; with
// `in_time`, for each byte and step: tensors that take turns share their bytes, so that together
// they may be worth more there than a constant that each of them is worth less than.
std::vector<std::size_t> by_price(const Problem& problem, const Prices& prices,
                                  const Freedom& freedom, bool in_time) {
    return ordered(problem, freedom, [&](std::size_t i) {
        if (problem.wishes[i].candidates.size() == 1) return std::make_tuple(0, 0.0);
        const Item& item = problem.items[i];
        const std::int64_t steps = item.lifetime.last - item.lifetime.first + 1;
        const double more = prices.of(i, 1) - prices.of(i, 0);
        const double room =
            static_cast<double>(item.size) * (in_time ? static_cast<double>(steps) : 1.0);
        return std::make_tuple(1, -more / room);
    });
}

std::vector<std::size_t> by_size(const Problem& problem, const Freedom& freedom,
                                 bool fewest_alternatives_first) {
    return ordered(problem, freedom, [&](std::size_t i) {
        const auto alternatives = static_cast<int>(problem.wishes[i].candidates.size());
        return std::make_tuple(fewest_alternatives_first ? alternatives : 0,
                               -static_cast<double>(problem.items[i].size));
    });
}

class Fitter {
  public:
    Fitter(const Problem& problem, const Prices& prices, const Freedom& freedom,
           const Reserve& reserve)
        : problem_(problem),
          prices_(prices),
          freedom_(freedom),
          reserve_(reserve),
          ledger_(problem),
          choices_(freedom.base) {
        for (std::size_t i = 0; i < choices_.size(); ++i) {
            if (!freedom.free[i]) ledger_.add(i, candidate(i, choices_[i]));
        }
    }

    // Places items in the given order; `force` says what becomes of one that fits nowhere.
    bool place(const std::vector<std::size_t>& order, bool force) {
        for (std::size_t item : order) {
            const std::size_t count = problem_.wishes[item].candidates.size();
            std::size_t chosen = 0;
            while (chosen < count) {
                ledger_.add(item, candidate(item, chosen));
                if (fits(candidate(item, chosen))) break;
                ledger_.remove(item, candidate(item, chosen++));
            }
            if (chosen == count) {
                if (!force) return false;
                chosen = count - 1;
                ledger_.add(item, candidate(item, chosen));
            }
            choices_[item] = chosen;
        }
        for (std::size_t m = 0; m < problem_.budgets.size() && !force; ++m) {
            if (ledger_.over(m, reserve_[m]) > 0) return false;
        }
        return true;
    }

    Choices improved() {
        while (work_ < kWork && (move() || swap())) {
        }
        return choices_;
    }

    const Choices& choices() const { return choices_; }

  private:
    const Candidate& candidate(std::size_t item, std::size_t c) const {
        return problem_.wishes[item].candidates[c];
    }

    std::uint64_t over(const Candidate& where) const {
        const std::uint64_t in_memory = ledger_.over(where.memory, reserve_[where.memory]);
        return std::max(in_memory, ledger_.over(where.source, reserve_[where.source]));
    }

    bool fits(const Candidate& where) const { return over(where) == 0; }

    void change(std::size_t item, std::size_t from, std::size_t to) {
        ledger_.remove(item, candidate(item, from));
        ledger_.add(item, candidate(item, to));
        work_ += kWorkOfChange;
    }

    // Free items that aren't where they would be first, those that could save most first.
    std::vector<std::size_t> displaced() const {
        std::vector<std::size_t> result;
        for (std::size_t i = 0; i < choices_.size(); ++i) {
            if (freedom_.free[i] && choices_[i] > 0) result.push_back(i);
        }
        std::stable_sort(result.begin(), result.end(),
                         [&](std::size_t a, std::size_t b) { return saving(a, 0) > saving(b, 0); });
        return result;
    }

    double saving(std::size_t item, std::size_t c) const {
        return prices_.of(item, choices_[item]) - prices_.of(item, c);
    }

    // Every item that fits into a memory that it prefers goes there.
    bool move() {
        bool moved = false;
        for (std::size_t item : displaced()) {
            for (std::size_t c = 0; c < choices_[item] && work_ < kWork; ++c) {
                const std::size_t from = choices_[item];
                change(item, from, c);
                if (fits(candidate(item, c))) {
                    choices_[item] = c;
                    moved = true;
                } else {
                    change(item, c, from);
                }
            }
        }
        return moved;
    }

    // One item goes where it prefers to be, and another one makes room for it.
    bool swap() {
        bool swapped = false;
        for (std::size_t item : displaced()) {
            for (std::size_t c = 0; c < choices_[item] && work_ < kWork; ++c) {
                const double gain = saving(item, c);
                if (gain <= 0) break;  // prices only rise along the list
                const std::size_t from = choices_[item];
                change(item, from, c);
                if (make_room(item, c, gain)) {
                    choices_[item] = c;
                    swapped = true;
                    break;
                }
                change(item, c, from);
            }
        }
        return swapped;
    }

    bool in_the_way(std::size_t other, std::size_t item, const Candidate& where) const {
        const Candidate& there = candidate(other, choices_[other]);
        if (other == item || !freedom_.free[other]) return false;
        if (there.memory != where.memory && there.source != where.memory &&
            there.memory != where.source) {
            return false;
        }
        const Item& a = problem_.items[item];
        const Item& b = problem_.items[other];
        return a.role != Role::scratch || b.role != Role::scratch ||
               a.lifetime.overlaps(b.lifetime);
    }

    bool make_room(std::size_t item, std::size_t c, double gain) {
        const Candidate where = candidate(item, c);
        const std::uint64_t needed = over(where);
        for (std::size_t other = 0; other < choices_.size() && work_ < kWork; ++other) {
            const std::size_t alignment = problem_.wishes[other].alignment;
            ++work_;
            if (problem_.items[other].size + alignment + kTensorAlignment < needed) continue;
            if (!in_the_way(other, item, where)) continue;
            const std::size_t from = choices_[other];
            for (std::size_t d = from + 1; d < problem_.wishes[other].candidates.size(); ++d) {
                if (prices_.of(other, d) - prices_.of(other, from) >= gain) break;
                change(other, from, d);
                if (fits(where) && fits(candidate(other, d))) {
                    choices_[other] = d;
                    return true;
                }
                change(other, d, from);
            }
        }
        return false;
    }

    const Problem& problem_;
    const Prices& prices_;
    const Freedom& freedom_;
    const Reserve& reserve_;
    Ledger ledger_;
    Choices choices_;
    std::size_t work_ = 0;
};

}  // namespace

std::optional<Choices> first_fit(const Problem& problem, const Prices& prices,
                                 const Freedom& freedom, const Reserve& reserve) {
    const auto filled = [&](const std::vector<std::size_t>& order) -> std::optional<Choices> {
        Fitter fitter(problem, prices, freedom, reserve);
        if (!fitter.place(order, false)) return std::nullopt;
        return fitter.improved();
    };
    std::optional<Choices> best = filled(by_price(problem, prices, freedom, false));
    std::optional<Choices> in_time = filled(by_price(problem, prices, freedom, true));
    if (in_time && (!best || prices.of(*in_time) < prices.of(*best))) best = std::move(in_time);
    if (!best) best = filled(by_size(problem, freedom, true));
    if (!best) best = filled(by_size(problem, freedom, false));
    return best;
}

Choices forced_fit(const Problem& problem, const Prices& prices, const Freedom& freedom) {
    const Reserve nothing(problem.budgets.size(), 0);
    Fitter fitter(problem, prices, freedom, nothing);
    fitter.place(by_price(problem, prices, freedom, false), true);
    return fitter.choices();
}

}  // namespace ingot::memory
