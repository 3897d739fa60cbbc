#include "memory/packing.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "support/arithmetic.h"

namespace ingot::memory {
namespace {

constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

}  // namespace

Packer::Packer(const OffsetProblem& problem) : exceptions_(problem.buffers.size()) {
    for (const Buffer& buffer : problem.buffers) {
        sizes_.push_back(support::align_up(buffer.size, problem.alignment));
        lifetimes_.push_back(buffer.lifetime);
        alignments_.push_back(std::max(buffer.alignment, problem.alignment));
        fixed_.push_back(buffer.fixed);
    }
    for (const Distance& distance : problem.distances) {
        exception(distance.lower, distance.upper).below_other = distance.bytes;
        exception(distance.upper, distance.lower).above_other = distance.bytes;
    }
    measure();
    bound_ = overlap_bound(problem);
    build_index();
    check_fixed();
}

Packer::Exception& Packer::exception(std::size_t buffer, std::size_t other) {
    for (Exception& entry : exceptions_[buffer]) {
        if (entry.other == other) return entry;
    }
    return exceptions_[buffer].emplace_back(Exception{other, sizes_[buffer], sizes_[other]});
}

// Between two steps at which something begins or ends nothing changes, so only those count.
void Packer::measure() {
    std::vector<std::int64_t> begins;
    for (const Lifetime& lifetime : lifetimes_) begins.push_back(lifetime.first);
    std::sort(begins.begin(), begins.end());
    begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
    const auto slot = [&](std::int64_t step) {  // the last begin that is not after `step`
        return static_cast<std::size_t>(std::upper_bound(begins.begin(), begins.end(), step) -
                                        begins.begin() - 1);
    };
    std::vector<std::size_t> live(begins.size() + 1, 0);
    for (std::size_t b = 0; b < count(); ++b) {
        live[slot(lifetimes_[b].first)] += sizes_[b];
        live[slot(lifetimes_[b].last) + 1] -= sizes_[b];
    }
    std::partial_sum(live.begin(), live.end(), live.begin());
    const auto peak = std::max_element(live.begin(), live.end());
    if (!begins.empty()) {
        peak_step_ = begins[static_cast<std::size_t>(peak - live.begin())];
    }
    // Largest of a range in constant time: level k holds the largest of 2^k slots.
    std::vector<std::vector<std::size_t>> largest{live};
    for (std::size_t width = 1; 2 * width <= live.size(); width *= 2) {
        const std::vector<std::size_t>& below = largest.back();
        std::vector<std::size_t> level(live.size() - 2 * width + 1);
        for (std::size_t i = 0; i < level.size(); ++i) {
            level[i] = std::max(below[i], below[i + width]);
        }
        largest.push_back(std::move(level));
    }
    for (const Lifetime& lifetime : lifetimes_) {
        const std::size_t from = slot(lifetime.first);
        const std::size_t to = slot(lifetime.last);
        std::size_t k = 0;
        while ((std::size_t{2} << k) <= to - from + 1) ++k;
        pressure_.push_back(std::max(largest[k][from], largest[k][to + 1 - (std::size_t{1} << k)]));
    }
}

void Packer::build_index() {
    by_first_.resize(count());
    std::iota(by_first_.begin(), by_first_.end(), std::size_t{0});
    std::stable_sort(by_first_.begin(), by_first_.end(), [&](std::size_t a, std::size_t b) {
        return lifetimes_[a].first < lifetimes_[b].first;
    });
    while (leaves_ < count()) leaves_ *= 2;
    latest_.assign(2 * leaves_, std::numeric_limits<std::int64_t>::min());
    leaf_.resize(count());
    for (std::size_t i = 0; i < count(); ++i) leaf_[by_first_[i]] = i;
}

void Packer::check_fixed() {
    offsets_.assign(count(), 0);
    for (std::size_t b = 0; b < count(); ++b) {
        if (!fixed_[b]) continue;
        taken_.clear();
        visit(1, b);
        const auto at = static_cast<std::int64_t>(*fixed_[b]);
        for (const Taken& taken : taken_) {
            if (taken.after < at && at < taken.before) {
                throw std::logic_error("fixed buffers are in each other's way");
            }
        }
        put(b, *fixed_[b]);
        bound_ = std::max(bound_, *fixed_[b] + sizes_[b]);
    }
}

void Packer::put(std::size_t buffer, std::size_t offset) {
    offsets_[buffer] = offset;
    for (std::size_t node = leaf_[buffer] + leaves_; node >= 1; node /= 2) {
        latest_[node] = std::max(latest_[node], lifetimes_[buffer].last);
    }
}

// What a placed buffer that lives together with `buffer` leaves of its offsets.
void Packer::take(std::size_t buffer, std::size_t placed) {
    std::size_t below = sizes_[buffer];
    std::size_t above = sizes_[placed];
    for (const Exception& entry : exceptions_[buffer]) {
        if (entry.other != placed) continue;
        below = entry.below_other;
        above = entry.above_other;
    }
    const auto at = static_cast<std::int64_t>(offsets_[placed]);
    taken_.push_back(
        {at - static_cast<std::int64_t>(below), at + static_cast<std::int64_t>(above)});
}

// Collects what placed buffers that live together with `buffer` take, from left to right, leaving
// out subtrees in which all have ended or all begin later.
void Packer::visit(std::size_t node, std::size_t buffer) {
    const Lifetime& lifetime = lifetimes_[buffer];
    if (latest_[node] < lifetime.first) return;
    std::size_t leftmost = node;
    while (leftmost < leaves_) leftmost *= 2;
    if (leftmost - leaves_ >= count()) return;
    if (lifetimes_[by_first_[leftmost - leaves_]].first > lifetime.last) return;
    if (node >= leaves_) return take(buffer, by_first_[node - leaves_]);
    visit(2 * node, buffer);
    visit(2 * node + 1, buffer);
}

std::size_t Packer::find(std::size_t buffer, Fit fit) {
    std::sort(taken_.begin(), taken_.end(),
              [](const Taken& a, const Taken& b) { return a.after < b.after; });
    std::size_t top = 0;
    std::size_t best = kNowhere;
    std::int64_t best_gap = std::numeric_limits<std::int64_t>::max();
    for (const Taken& taken : taken_) {
        const std::int64_t gap = taken.after - static_cast<std::int64_t>(top);
        if (gap >= 0) {
            if (fit == Fit::lowest) return top;
            if (gap < best_gap) {
                best_gap = gap;
                best = top;
            }
        }
        if (taken.before > static_cast<std::int64_t>(top) && taken.after < taken.before) {
            top = support::align_up(static_cast<std::size_t>(taken.before), alignments_[buffer]);
        }
    }
    return best == kNowhere ? top : best;
}

Offsets Packer::place(const std::vector<std::size_t>& order, Fit fit, std::size_t limit) {
    std::fill(latest_.begin(), latest_.end(), std::numeric_limits<std::int64_t>::min());
    offsets_.assign(count(), 0);
    Offsets result;
    for (std::size_t b = 0; b < count(); ++b) {
        if (!fixed_[b]) continue;
        put(b, *fixed_[b]);
        result.height = std::max(result.height, *fixed_[b] + sizes_[b]);
    }
    for (std::size_t b : order) {
        if (fixed_[b]) continue;
        taken_.clear();
        visit(1, b);
        work_ += taken_.size() + 1;
        put(b, find(b, fit));
        result.height = std::max(result.height, offsets_[b] + sizes_[b]);
        if (result.height >= limit) break;
    }
    result.offsets = offsets_;
    result.lower_bound = bound_;
    return result;
}

}  // namespace ingot::memory
