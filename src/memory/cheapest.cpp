#include "memory/cheapest.h"

#include <algorithm>
#include <limits>

#include "memory/regions.h"
#include "support/arithmetic.h"

namespace ingot::memory {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

// What the search may do, in items looked at: under a second. A change of the ledger counts as
// many as it takes time.
constexpr std::uint64_t kWork = 10'000'000;
constexpr std::uint64_t kWorkOfMove = 100;
// Layouts, each of which may be an exact search of its own.
constexpr int kPackings = 24;

bool in(const Candidate& where, std::size_t memory) {
    return where.memory == memory || where.source == memory;
}

std::uint64_t rounded(const Item& item) {
    return support::align_up(item.size, kTensorAlignment);
}

}  // namespace

Packed Packing::pack(const Choices& choices) {
    ++packed_;
    Packed result;
    result.plan = lay_out(problem_, choices, options_);
    for (std::size_t m = 0; m < problem_.budgets.size(); ++m) {
        if (!problem_.budgets[m]) continue;
        const std::string& name = problem_.platform.memories[m].name;
        std::uint64_t used = 0;
        bool minimal = true;
        for (const Region& region : result.plan.regions) {
            if (region.memory != name && region.source_memory != name) continue;
            used += region.size;
            minimal = minimal && (region.role != Role::scratch || region.optimal);
        }
        if (used <= *problem_.budgets[m]) continue;
        result.over.emplace_back(m, used - *problem_.budgets[m]);
        result.proven = result.proven || minimal;
    }
    return result;
}

Cheapest::Cheapest(const Problem& problem, const Prices& prices, const Freedom& freedom,
                   Packing& packing)
    : problem_(problem),
      prices_(prices),
      freedom_(freedom),
      packing_(packing),
      leaving_(problem.budgets.size()),
      ledger_(problem, freedom.base),
      choices_(freedom.base),
      decided_(problem.items.size()),
      best_(kInfinite),
      open_(kInfinite) {
    for (std::size_t i = 0; i < decided_.size(); ++i) decided_[i] = !freedom.free[i];
    price_ = prices.of(choices_);
    order_by_price();
}

void Cheapest::order_by_price() {
    for (std::size_t m = 0; m < leaving_.size(); ++m) {
        std::vector<std::pair<std::size_t, double>>& list = leaving_[m];
        for (std::size_t i = 0; i < problem_.items.size(); ++i) {
            const std::vector<Candidate>& candidates = problem_.wishes[i].candidates;
            if (!freedom_.free[i] || !in(candidates.front(), m)) continue;
            const auto elsewhere = std::find_if(candidates.begin(), candidates.end(),
                                                [&](const Candidate& c) { return !in(c, m); });
            if (elsewhere == candidates.end()) continue;
            const auto c = static_cast<std::size_t>(elsewhere - candidates.begin());
            list.emplace_back(i, prices_.of(i, c) - prices_.of(i, 0));
        }
        const auto each_byte = [&](const std::pair<std::size_t, double>& entry) {
            return entry.second / static_cast<double>(rounded(problem_.items[entry.first]));
        };
        std::stable_sort(list.begin(), list.end(),
                         [&](const auto& a, const auto& b) { return each_byte(a) < each_byte(b); });
    }
}

double Cheapest::improve(std::optional<Assigned>& found) {
    found_ = &found;
    best_ = found ? prices_.of(found->choices) : kInfinite;
    packings_ = kPackings;
    visit();
    return std::min(open_, best_);
}

// The step in which a memory's scratch needs most.
Lifetime Cheapest::peak(std::size_t memory) const {
    const Profile* scratch = ledger_.scratch(memory);
    const std::int64_t step = scratch == nullptr ? -1 : scratch->peak_step();
    return {step, step};
}

// Whether an undecided item takes room when it is needed.
bool Cheapest::relieves(std::size_t item, const Lifetime& needed) const {
    ++work_;
    const Item& it = problem_.items[item];
    return !decided_[item] && (it.role != Role::scratch || it.lifetime.overlaps(needed));
}

// What it costs at least that a memory keeps its budget: the cheapest bytes go, the last ones in
// part. Infinite when all that may go is not enough.
double Cheapest::eviction(std::size_t memory) const {
    if (ledger_.over(memory) == 0) return 0;
    const std::uint64_t raw = ledger_.raw(memory);
    const std::uint64_t budget = *problem_.budgets[memory];
    // Rounded arenas may be over their budget when the bytes in them are not.
    std::uint64_t needed = raw > budget ? raw - budget : 1;
    double price = 0;
    const Lifetime at_peak = peak(memory);
    for (const auto& [item, more] : leaving_[memory]) {
        if (!relieves(item, at_peak)) continue;
        const std::uint64_t bytes = rounded(problem_.items[item]);
        if (bytes >= needed) {
            return price + more * static_cast<double>(needed) / static_cast<double>(bytes);
        }
        price += more;
        needed -= bytes;
    }
    return kInfinite;
}

// What is worth most for its bytes among those of which some must go.
std::size_t Cheapest::pick(std::size_t memory, const Lifetime& needed) const {
    const auto& list = leaving_[memory];
    const auto found = std::find_if(list.rbegin(), list.rend(), [&](const auto& entry) {
        return relieves(entry.first, needed);
    });
    return found == list.rend() ? kNone : found->first;
}

void Cheapest::move(std::size_t item, std::size_t from, std::size_t to) {
    if (from == to) return;
    const std::vector<Candidate>& candidates = problem_.wishes[item].candidates;
    ledger_.remove(item, candidates[from]);
    ledger_.add(item, candidates[to]);
    choices_[item] = to;
    price_ += prices_.of(item, to) - prices_.of(item, from);
    work_ += kWorkOfMove;
}

// All budgets hold as far as the ledger knows: the cheapest choice below this node, if it can be
// packed. Else the item to decide next comes back.
std::size_t Cheapest::leaf() {
    if (packings_ == 0) {
        open_ = std::min(open_, price_);
        return kNone;
    }
    --packings_;
    Packed packed = packing_.pack(choices_);
    if (packed.over.empty()) {
        *found_ = Assigned{choices_, std::move(packed.plan)};
        best_ = price_;
        return kNone;
    }
    if (!packed.proven) open_ = std::min(open_, price_);
    const std::size_t memory = packed.over.front().first;
    const std::size_t at_peak = pick(memory, peak(memory));
    const auto end = static_cast<std::int64_t>(problem_.program.steps.size());
    return at_peak == kNone ? pick(memory, {-1, end}) : at_peak;
}

void Cheapest::visit() {
    double more = 0;
    std::size_t fullest = kNone;
    for (std::size_t m = 0; m < problem_.budgets.size(); ++m) {
        if (ledger_.over(m) == 0) continue;
        const double price = eviction(m);
        if (fullest == kNone || price > more) fullest = m;
        more = std::max(more, price);
    }
    if (more == kInfinite || price_ + more >= best_) return;
    if (work_ >= kWork) {
        open_ = std::min(open_, price_ + more);
        return;
    }
    const std::size_t item = fullest == kNone ? leaf() : pick(fullest, peak(fullest));
    if (item == kNone) return;
    decided_[item] = true;
    for (std::size_t c = 0; c < problem_.wishes[item].candidates.size(); ++c) {
        move(item, choices_[item], c);
        visit();
    }
    move(item, choices_[item], 0);
    decided_[item] = false;
}

}  // namespace ingot::memory
