#include "memory/exact_search.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "support/arithmetic.h"
#include "support/random.h"

namespace ingot::memory {
namespace {

constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 2;

// What a failure still counts after another search.
constexpr double kForgetting = 0.9;

std::uint64_t mix(std::uint64_t x) {
    return support::SplitMix64(x).next();
}

}  // namespace

ExactSearch::ExactSearch(const OffsetProblem& problem) {
    std::size_t common = 0;
    for (const Buffer& buffer : problem.buffers) {
        const std::size_t size = support::align_up(buffer.size, problem.alignment);
        const std::size_t alignment = std::max(buffer.alignment, problem.alignment);
        sizes_.push_back(static_cast<Bytes>(size));
        alignments_.push_back(static_cast<Bytes>(alignment));
        fixed_.emplace_back();
        if (buffer.fixed) fixed_.back() = static_cast<Bytes>(*buffer.fixed);
        plain_ &= alignment == problem.alignment && !buffer.fixed;
        common = std::gcd(common, std::gcd(size, buffer.fixed.value_or(0)));
        if (alignment > problem.alignment) common = std::gcd(common, alignment);
        length_.push_back(static_cast<double>(buffer.lifetime.last - buffer.lifetime.first) + 1.0);
    }
    for (const Distance& distance : problem.distances) common = std::gcd(common, distance.bytes);
    granularity_ = std::max<std::size_t>(common, 1);
    build_sections(problem.buffers);
    build_neighbours(problem);
    build_sharings(problem);
    build_gaps(problem);
    bound_ = overlap_bound(problem);
    for (Index b = 0; b < sizes_.size(); ++b) {
        if (fixed_[b]) bound_ = std::max(bound_, static_cast<std::size_t>(*fixed_[b] + sizes_[b]));
    }
    set_order({Key::pressure, Key::area, Key::length}, 0.0, 0);
}

// A section is the steps from a begin to the next one; only those in which something ends matter,
// since what is live in any other is live in the next one too.
void ExactSearch::build_sections(const std::vector<Buffer>& buffers) {
    std::vector<std::int64_t> begins;
    std::vector<std::int64_t> ends;
    for (const Buffer& buffer : buffers) {
        begins.push_back(buffer.lifetime.first);
        ends.push_back(buffer.lifetime.last + 1);
    }
    std::sort(begins.begin(), begins.end());
    begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
    std::sort(ends.begin(), ends.end());
    std::vector<std::int64_t> sections;
    for (std::size_t i = 0; i < begins.size(); ++i) {
        const auto end = std::upper_bound(ends.begin(), ends.end(), begins[i]);
        if (end != ends.end() && (i + 1 == begins.size() || *end <= begins[i + 1])) {
            sections.push_back(begins[i]);
        }
    }
    const auto at = [&](std::int64_t step) {
        return static_cast<Index>(std::lower_bound(sections.begin(), sections.end(), step) -
                                  sections.begin());
    };
    section_bytes_.assign(sections.size(), 0);
    failures_.assign(sections.size(), 0.0);
    for (std::size_t b = 0; b < buffers.size(); ++b) {
        begin_.push_back(at(buffers[b].lifetime.first));
        end_.push_back(at(buffers[b].lifetime.last + 1));
        for (Index s = begin_[b]; s < end_[b]; ++s) section_bytes_[s] += sizes_[b];
    }
    for (std::size_t b = 0; b < buffers.size(); ++b) {
        pressure_.push_back(*std::max_element(section_bytes_.begin() + begin_[b],
                                              section_bytes_.begin() + end_[b]));
    }
}

void ExactSearch::build_neighbours(const OffsetProblem& problem) {
    neighbours_.resize(sizes_.size());
    std::vector<Index> by_begin(sizes_.size());
    std::iota(by_begin.begin(), by_begin.end(), Index{0});
    std::stable_sort(by_begin.begin(), by_begin.end(),
                     [&](Index a, Index b) { return begin_[a] < begin_[b]; });
    for (auto a = by_begin.begin(); a != by_begin.end(); ++a) {
        for (auto b = a + 1; b != by_begin.end() && begin_[*b] < end_[*a]; ++b) {
            neighbours_[*a].push_back({*b, sizes_[*a]});
            neighbours_[*b].push_back({*a, sizes_[*b]});
        }
    }
    for (const Distance& distance : problem.distances) {
        for (Neighbour& neighbour : neighbours_[distance.lower]) {
            if (neighbour.buffer != distance.upper) continue;
            neighbour.distance = static_cast<Bytes>(distance.bytes);
        }
    }
}

void ExactSearch::build_sharings(const OffsetProblem& problem) {
    std::map<Index, std::map<Index, Bytes>> by_later;
    for (const Distance& distance : problem.distances) {
        const auto lower = static_cast<Index>(distance.lower);
        const auto upper = static_cast<Index>(distance.upper);
        const bool lower_is_later = begin_[lower] > begin_[upper];
        const Bytes bytes =
            std::min(sizes_[lower] - static_cast<Bytes>(distance.bytes), sizes_[upper]);
        Bytes& most = by_later[lower_is_later ? lower : upper][lower_is_later ? upper : lower];
        most = std::max(most, bytes);
    }
    sharings_of_.resize(sizes_.size());
    for (const auto& [later, earlier] : by_later) {
        const auto number = static_cast<Index>(sharings_.size());
        sharings_.push_back({begin_[later], later, {earlier.begin(), earlier.end()}});
        sharings_of_[later].push_back(number);
        for (const auto& [buffer, bytes] : earlier) sharings_of_[buffer].push_back(number);
    }
}

void ExactSearch::build_gaps(const OffsetProblem& problem) {
    gaps_.resize(sizes_.size());
    for (Index f = 0; f < problem.buffers.size(); ++f) {
        if (!fixed_[f]) continue;
        for (const Neighbour& above : neighbours_[f]) {
            const auto& back = neighbours_[above.buffer];
            const auto below = std::find_if(back.begin(), back.end(),
                                            [&](const Neighbour& n) { return n.buffer == f; });
            gaps_[above.buffer].push_back(
                {*fixed_[f] - below->distance, *fixed_[f] + above.distance});
        }
    }
    for (std::vector<Gap>& gaps : gaps_) {
        std::sort(gaps.begin(), gaps.end(),
                  [](const Gap& a, const Gap& b) { return a.after < b.after; });
    }
}

ExactSearch::Bytes ExactSearch::free_from(Index buffer, Bytes offset) const {
    const auto aligned = [&](Bytes value) {
        return (value + alignments_[buffer] - 1) & ~(alignments_[buffer] - 1);
    };
    offset = aligned(offset);
    for (const Gap& gap : gaps_[buffer]) {
        if (gap.after < offset && offset < gap.before) offset = aligned(gap.before);
    }
    return offset;
}

// What the buffers of a section that are still to be placed may share.
ExactSearch::Bytes ExactSearch::shared(const Sharing& sharing) const {
    if (placed_[sharing.later] != 0) return 0;
    Bytes sum = 0;
    for (const auto& [buffer, bytes] : sharing.earlier) sum += placed_[buffer] != 0 ? 0 : bytes;
    return std::min(sum, sizes_[sharing.later]);
}

void ExactSearch::set_placed(Index buffer, bool placed) {
    for (const Index n : sharings_of_[buffer]) {
        open_bytes_[sharings_[n].section] += shared(sharings_[n]);
    }
    placed_[buffer] = placed ? 1 : 0;
    const Bytes change = placed ? -sizes_[buffer] : sizes_[buffer];
    for (Index s = begin_[buffer]; s < end_[buffer]; ++s) open_bytes_[s] += change;
    for (const Index n : sharings_of_[buffer]) {
        open_bytes_[sharings_[n].section] -= shared(sharings_[n]);
    }
}

double ExactSearch::value(Key key, Index buffer) const {
    const double size = static_cast<double>(sizes_[buffer]);
    const auto failures = [&] {
        return std::accumulate(failures_.begin() + begin_[buffer], failures_.begin() + end_[buffer],
                               0.0);
    };
    switch (key) {
        case Key::pressure:
            return static_cast<double>(pressure_[buffer]);
        case Key::length:
            return length_[buffer];
        case Key::area:
            return length_[buffer] * size;
        case Key::failures:
            return failures();
        case Key::failure_volume:
            return failures() * size;
    }
    return 0.0;
}

void ExactSearch::set_order(const std::array<Key, 3>& keys, double noise, std::uint64_t seed) {
    support::SplitMix64 random(seed);
    std::vector<std::array<double, 3>> values(sizes_.size());
    for (Index b = 0; b < sizes_.size(); ++b) {
        const double unit = static_cast<double>(random.next() >> 11) * 0x1p-53;
        const double factor = 1.0 + (2.0 * unit - 1.0) * noise;
        for (std::size_t k = 0; k < keys.size(); ++k) values[b][k] = value(keys[k], b) * factor;
    }
    std::vector<Index> order(sizes_.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return values[a] > values[b]; });
    rank_.resize(order.size());
    for (Index r = 0; r < order.size(); ++r) rank_[order[r]] = r;
    for (double& failures : failures_) failures *= kForgetting;
}

ExactSearch::Verdict ExactSearch::pack(std::size_t height, std::uint64_t nodes,
                                       std::uint64_t open) {
    if (bound_ > height) return Verdict::impossible;
    height_ = static_cast<Bytes>(height);
    node_limit_ = nodes_ + nodes;
    open_limit_ = open_ + open;
    exhausted_ = false;
    offsets_.assign(sizes_.size(), 0);
    lows_.assign(sizes_.size(), 0);
    placed_.assign(sizes_.size(), 0);
    changed_.assign(sizes_.size(), 0);
    stamp_ = 0;
    open_bytes_ = section_bytes_;
    for (const Sharing& sharing : sharings_) open_bytes_[sharing.section] -= shared(sharing);
    next_.assign(section_bytes_.size() + 1, 0);
    stacked_.assign(section_bytes_.size(), 0);
    old_lows_.clear();
    failed_.clear();
    by_low_.clear();
    candidates_.clear();
    pool_.clear();
    for (Index b = 0; b < sizes_.size(); ++b) {
        if (!fixed_[b]) {
            pool_.push_back(b);
            continue;
        }
        set_placed(b, true);
        offsets_[b] = static_cast<std::size_t>(*fixed_[b]);
    }
    std::stable_sort(pool_.begin(), pool_.end(),
                     [&](Index a, Index b) { return begin_[a] < begin_[b]; });
    if (solve_parts({0, pool_.size()}, {}, {}) == Outcome::done) return Verdict::found;
    return exhausted_ ? Verdict::unknown : Verdict::impossible;
}

// All that the outcome depends on: which buffers are left, and from where each may be placed.
std::uint64_t ExactSearch::fingerprint(Range open, Last last) const {
    std::uint64_t hash = 0;
    bool tie = false;
    for (std::size_t i = open.begin; i < open.end; ++i) {
        const Index b = pool_[i];
        const Bytes low = effective(b, last.offset);
        tie |= low == last.offset;
        hash += mix((std::uint64_t{b} << 40) + mix(static_cast<std::uint64_t>(low) + 1));
    }
    return tie ? hash + mix(std::uint64_t{last.rank} + 0x9e3779b97f4a7c15u) : hash;
}

// Equal offsets in another order than by rank would come up twice, unless the buffer may begin
// together with the last one only because it comes after it.
bool ExactSearch::out_of_turn(Index buffer, Bytes low, Last last) const {
    if (low != last.offset || rank_[buffer] > last.rank) return false;
    if (sharings_of_[buffer].empty()) return true;
    const auto& above = neighbours_[last.buffer];
    return std::none_of(above.begin(), above.end(), [&](const Neighbour& neighbour) {
        return neighbour.buffer == buffer && neighbour.distance == 0;
    });
}

// Section inference once more, with every lowest offset and not only the least of a section: what
// can't begin below some offset must fit above it, but for what may be shared.
bool ExactSearch::stacks(const Part& part, Last last) {
    std::fill(stacked_.begin() + part.begin, stacked_.begin() + part.end, 0);
    for (const Sharing& sharing : sharings_) stacked_[sharing.section] -= shared(sharing);
    for (std::size_t i = part.by_low.end; i-- > part.by_low.begin;) {
        const Index b = by_low_[i];
        // Not the offset that alignment and fixed buffers leave: by that by_low_ has no order.
        const Bytes room = height_ - std::max(lows_[b], last.offset);
        for (Index s = begin_[b]; s < end_[b]; ++s) {
            stacked_[s] += sizes_[b];
            if (stacked_[s] <= room) continue;
            failures_[s] += 1.0;
            return false;
        }
    }
    return true;
}

// The placements worth trying, the lowest first; false when a buffer has none left. One above a
// buffer that would fit beneath it leaves a hole.
bool ExactSearch::collect(const Part& part, Last last) {
    const Range open = part.open;
    // All that is open comes to lie at or above the next placement.
    const auto fullest =
        std::max_element(open_bytes_.begin() + part.begin, open_bytes_.begin() + part.end);
    const Bytes highest = height_ - *fullest;
    Bytes ceiling = kFar;
    for (std::size_t i = open.begin; i < open.end; ++i) {
        const Index b = pool_[i];
        const Bytes top = effective(b, last.offset) + sizes_[b];
        if (top > height_) return false;
        ceiling = std::min(ceiling, top);
    }
    const std::size_t first = candidates_.size();
    for (std::size_t i = open.begin; i < open.end; ++i) {
        const Index b = pool_[i];
        const Bytes low = effective(b, last.offset);
        if (low >= ceiling || out_of_turn(b, low, last)) continue;
        if (low > highest) {
            failures_[static_cast<std::size_t>(fullest - open_bytes_.begin())] += 1.0;
            continue;
        }
        candidates_.push_back({low, rank_[b], b});
    }
    std::sort(candidates_.begin() + static_cast<std::ptrdiff_t>(first), candidates_.end(),
              [](const Candidate& a, const Candidate& b) {
                  return a.offset != b.offset ? a.offset < b.offset : a.rank < b.rank;
              });
    return true;
}

// What all placements of a node have in common.
ExactSearch::Part ExactSearch::survey(Range open) {
    Part part;
    part.open = open;
    part.begin = begin_[pool_[open.begin]];
    part.by_low.begin = by_low_.size();
    for (std::size_t i = open.begin; i < open.end; ++i) {
        part.end = std::max(part.end, end_[pool_[i]]);
        by_low_.push_back(pool_[i]);
    }
    part.by_low.end = by_low_.size();
    std::sort(by_low_.begin() + static_cast<std::ptrdiff_t>(part.by_low.begin), by_low_.end(),
              [&](Index a, Index b) { return lows_[a] < lows_[b]; });
    return part;
}

bool ExactSearch::node(Range open, Last last) {
    open_ += open.count();
    if (++nodes_ > node_limit_ || open_ > open_limit_) {
        exhausted_ = true;
        return false;
    }
    const std::uint64_t hash = fingerprint(open, last);
    if (failed_.count(hash) != 0) return false;
    const std::size_t first = candidates_.size();
    const Part part = survey(open);
    if (!stacks(part, last) || !collect(part, last)) {
        by_low_.resize(part.by_low.begin);
        failed_.insert(hash);
        return false;
    }
    const std::size_t end = candidates_.size();
    bool done = false;
    for (std::size_t i = first; i < end && !done; ++i) {
        const std::size_t lows = old_lows_.size();
        const Candidate candidate = candidates_[i];
        bool has_neighbours = false;
        const Outcome outcome = place(candidate, part, last, has_neighbours);
        done = outcome == Outcome::done;
        if (done) break;
        unplace(candidate, lows);
        // A buffer without neighbours left is in nobody's way, so it is not what failed.
        if (exhausted_ || outcome == Outcome::failed_regardless || !has_neighbours) break;
    }
    candidates_.resize(first);
    by_low_.resize(part.by_low.begin);
    if (!done && !exhausted_) failed_.insert(hash);
    return done;
}

ExactSearch::Outcome ExactSearch::place(const Candidate& candidate, const Part& part, Last last,
                                        bool& has_neighbours) {
    const Index b = candidate.buffer;
    const std::size_t trail = old_lows_.size();
    ++stamp_;
    set_placed(b, true);
    offsets_[b] = static_cast<std::size_t>(candidate.offset);
    for (const Neighbour& neighbour : neighbours_[b]) {
        const Index n = neighbour.buffer;
        if (placed_[n] != 0) continue;
        has_neighbours = true;
        const Bytes top = candidate.offset + neighbour.distance;
        if (lows_[n] >= top) continue;
        old_lows_.emplace_back(n, lows_[n]);
        lows_[n] = top;
        changed_[n] = stamp_;
    }
    if (!fits(candidate, part, trail)) return Outcome::failed;
    const std::size_t begin = pool_.size();
    for (std::size_t i = part.open.begin; i < part.open.end; ++i) {
        const Index other = pool_[i];
        if (other != b) pool_.push_back(other);
    }
    const Outcome outcome =
        solve_parts({begin, pool_.size()}, {candidate.offset, candidate.rank, b}, last);
    pool_.resize(begin);
    return outcome;
}

// Section inference after a placement: from the lowest open buffer up, each gives its lowest offset
// to those of its sections that none below it lives in. `before` has the buffers that were open
// before the placement, the lowest first; the placement raised those in the trail from `trail` on.
bool ExactSearch::fits(const Candidate& placed, const Part& before, std::size_t trail) {
    raised_.clear();
    for (std::size_t i = trail; i < old_lows_.size(); ++i) raised_.push_back(old_lows_[i].first);
    const auto lower = [&](Index a, Index b) { return lows_[a] < lows_[b]; };
    if (!sharings_of_[placed.buffer].empty()) std::sort(raised_.begin(), raised_.end(), lower);
    std::size_t left = 0;  // sections without a floor
    for (Index s = before.begin; s < before.end; ++s) {
        left += open_bytes_[s] > 0 ? 1 : 0;
        next_[s] = s;
    }
    next_[before.end] = before.end;
    auto raised = raised_.begin();
    std::size_t unmoved = before.by_low.begin;
    while (left > 0) {
        while (unmoved < before.by_low.end &&
               (changed_[by_low_[unmoved]] == stamp_ || by_low_[unmoved] == placed.buffer)) {
            ++unmoved;
        }
        const bool take_raised = raised != raised_.end() && (unmoved == before.by_low.end ||
                                                             !lower(by_low_[unmoved], *raised));
        const Index b = take_raised ? *raised++ : by_low_[unmoved++];
        if (!give_floor(b, std::max(lows_[b], placed.offset), left)) return false;
    }
    return true;
}

// False when what is left to place in a section doesn't fit above its floor.
bool ExactSearch::give_floor(Index buffer, Bytes low, std::size_t& left) {
    for (Index s = unfloored(begin_[buffer]); s < end_[buffer]; s = unfloored(s)) {
        if (low + open_bytes_[s] > height_) {
            failures_[s] += 1.0;
            return false;
        }
        next_[s] = s + 1;
        --left;
    }
    return true;
}

ExactSearch::Index ExactSearch::unfloored(Index section) {
    Index end = section;
    while (next_[end] != end) end = next_[end];
    while (next_[section] != section) {
        const Index next = next_[section];
        next_[section] = end;
        section = next;
    }
    return end;
}

void ExactSearch::unplace(const Candidate& candidate, std::size_t lows) {
    set_placed(candidate.buffer, false);
    for (; old_lows_.size() > lows; old_lows_.pop_back()) {
        lows_[old_lows_.back().first] = old_lows_.back().second;
    }
}

// Whether the last placement left alone what the buffers of a part see.
bool ExactSearch::unchanged(Range part, std::uint64_t placement, Last last, Last before) const {
    for (std::size_t i = part.begin; i < part.end; ++i) {
        const Index b = pool_[i];
        if (changed_[b] == placement || lows_[b] == last.offset) return false;
        if (effective(b, last.offset) != effective(b, before.offset)) return false;
    }
    return true;
}

// The open buffers in parts that share no section, the smallest first; all of them must be done.
ExactSearch::Outcome ExactSearch::solve_parts(Range open, Last last, Last before) {
    const std::uint64_t placement = stamp_;
    std::vector<Range> parts;
    for (std::size_t i = open.begin; i < open.end;) {
        Range part = {i, i + 1};
        Index reach = end_[pool_[i]];
        for (; part.end < open.end && begin_[pool_[part.end]] < reach; ++part.end) {
            reach = std::max(reach, end_[pool_[part.end]]);
        }
        parts.push_back(part);
        i = part.end;
    }
    std::stable_sort(parts.begin(), parts.end(),
                     [](const Range& a, const Range& b) { return a.count() < b.count(); });
    for (std::size_t p = 0; p < parts.size(); ++p) {
        if (node(parts[p], last)) continue;
        for (std::size_t q = 0; q < p; ++q) reopen(parts[q]);
        const bool regardless = placement != 0 && unchanged(parts[p], placement, last, before);
        return regardless ? Outcome::failed_regardless : Outcome::failed;
    }
    return Outcome::done;
}

// Takes a solved part out again, but for the trails.
void ExactSearch::reopen(Range part) {
    for (std::size_t i = part.begin; i < part.end; ++i) set_placed(pool_[i], false);
}

}  // namespace ingot::memory
