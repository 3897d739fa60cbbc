#include "memory/packing.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "support/arithmetic.h"

namespace ingot::memory {
namespace {

constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

}  // namespace

Packer::Packer(const std::vector<Buffer>& buffers, std::size_t alignment) {
    for (const Buffer& buffer : buffers) {
        sizes_.push_back(support::align_up(buffer.size, alignment));
        lifetimes_.push_back(buffer.lifetime);
    }
    measure();
    build_index();
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
    for (std::size_t s = 0; s < begins.size(); ++s) {
        if (live[s] > bound_) {
            bound_ = live[s];
            peak_step_ = begins[s];
        }
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
}

// Collects the bytes taken by placed buffers that live together with `lifetime`, from left to
// right, leaving out subtrees in which all have ended or all begin later.
void Packer::visit(std::size_t node, const Lifetime& lifetime) {
    if (latest_[node] < lifetime.first) return;
    std::size_t leftmost = node;
    while (leftmost < leaves_) leftmost *= 2;
    if (leftmost - leaves_ >= count()) return;
    if (lifetimes_[by_first_[leftmost - leaves_]].first > lifetime.last) return;
    if (node < leaves_) {
        visit(2 * node, lifetime);
        visit(2 * node + 1, lifetime);
        return;
    }
    const std::size_t b = by_first_[node - leaves_];
    taken_.push_back({offsets_[b], offsets_[b] + sizes_[b]});
}

std::size_t Packer::find(std::size_t size, Fit fit) {
    std::sort(taken_.begin(), taken_.end(),
              [](const Span& a, const Span& b) { return a.begin < b.begin; });
    std::size_t top = 0;
    std::size_t best = kNowhere;
    std::size_t best_gap = kNowhere;
    for (const Span& span : taken_) {
        if (span.begin >= top + size) {
            if (fit == Fit::lowest) return top;
            if (span.begin - top < best_gap) {
                best_gap = span.begin - top;
                best = top;
            }
        }
        top = std::max(top, span.end);
    }
    return best == kNowhere ? top : best;
}

Offsets Packer::place(const std::vector<std::size_t>& order, Fit fit, std::size_t limit) {
    std::vector<std::size_t> leaf(count());
    for (std::size_t i = 0; i < count(); ++i) leaf[by_first_[i]] = i;
    std::fill(latest_.begin(), latest_.end(), std::numeric_limits<std::int64_t>::min());
    offsets_.assign(count(), 0);
    Offsets result;
    for (std::size_t b : order) {
        taken_.clear();
        visit(1, lifetimes_[b]);
        work_ += taken_.size() + 1;
        offsets_[b] = find(sizes_[b], fit);
        result.height = std::max(result.height, offsets_[b] + sizes_[b]);
        if (result.height >= limit) break;
        for (std::size_t node = leaf[b] + leaves_; node >= 1; node /= 2) {
            latest_[node] = std::max(latest_[node], lifetimes_[b].last);
        }
    }
    result.offsets = offsets_;
    result.optimal = result.height == bound_;
    return result;
}

}  // namespace ingot::memory
