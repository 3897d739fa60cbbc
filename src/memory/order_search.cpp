#include "memory/order_search.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace ingot::memory {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

struct Hash {
    std::size_t operator()(const StepSet& set) const {
        std::uint64_t hash = 0;
        for (std::uint64_t word : set.words()) {
            hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
            hash ^= hash >> 32U;
        }
        return static_cast<std::size_t>(hash);
    }
};

// A beginning of an order: what has run, what may run next, what is live and what the most was.
struct Beginning {
    StepSet done;
    std::vector<std::size_t> ready;  // ascending
    std::size_t live = 0;
    std::size_t peak = 0;

    Beginning(const OrderGraph& graph, std::size_t enough)
        : done(graph.steps.size()), live(graph.live_at_start()), peak(enough) {
        for (std::size_t s = 0; s < graph.steps.size(); ++s) {
            if (graph.steps[s].before.empty()) ready.push_back(s);
        }
    }

    void run(const OrderGraph& graph, std::size_t step, const StepCost& cost) {
        peak = std::max(peak, live + cost.during);
        live = cost.after(live);
        done.add(step);
        ready.erase(std::find(ready.begin(), ready.end(), step));
        for (std::size_t next : graph.steps[step].after) {
            const std::vector<std::size_t>& before = graph.steps[next].before;
            // The last one that must run is the latest in most orders.
            if (std::all_of(before.rbegin(), before.rend(),
                            [&](std::size_t b) { return done.has(b); })) {
                ready.insert(std::upper_bound(ready.begin(), ready.end(), next), next);
            }
        }
    }
};

struct Move {
    std::size_t step = 0;
    StepCost cost;
};

// The steps worth running next. When one needs no more than was needed already and leaves no more
// live than before, it alone: whatever runs first instead, moving this step before it neither
// raises a peak nor leaves more live, as the longer it waits the less begins with it and the more
// ends.
void moves(const OrderGraph& graph, const Beginning& at, std::vector<Move>& result) {
    result.clear();
    for (std::size_t step : at.ready) {
        const StepCost cost = graph.cost(step, at.done);
        if (!cost.grows() && at.live + cost.during <= at.peak) {
            result.assign(1, {step, cost});
            return;
        }
        result.push_back({step, cost});
    }
}

// The beginning with the lowest peak is continued first, so that the first complete order has the
// least peak: the shortest path where a path is as long as its longest edge.
class ExactSearch {
  public:
    ExactSearch(const OrderGraph& graph, const OrderGoal& goal, std::size_t words)
        : graph_(graph), goal_(goal), words_(words) {}

    OrderFound run() {
        OrderFound found;
        found.lower_bound = goal_.limit;
        add(Beginning(graph_, goal_.enough), kNone, kNone, 0);
        while (!queue_.empty()) {
            const std::size_t at = queue_.top().state;
            const bool stale = queue_.top().peak != states_[at].at.peak || states_[at].closed;
            queue_.pop();
            if (stale) continue;
            states_[at].closed = true;
            if (states_[at].count == graph_.steps.size()) {
                found.steps = path(at);
                found.peak = found.lower_bound = states_[at].at.peak;
                break;
            }
            if (used_ > words_) {
                found.lower_bound = states_[at].at.peak;
                break;
            }
            expand(at);
        }
        found.states = states_.size();
        found.words = used_;
        return found;
    }

  private:
    struct State {
        Beginning at;
        std::size_t parent;
        std::size_t step;   // that led here
        std::size_t count;  // of steps that have run
        bool closed = false;
    };
    struct Entry {
        std::size_t peak;
        std::size_t left;  // steps
        std::size_t live;
        std::size_t state;
        bool operator<(const Entry& other) const {  // the queue's top is its largest
            return std::tie(other.peak, other.left, other.live, other.state) <
                   std::tie(peak, left, live, state);
        }
    };

    void add(Beginning&& at, std::size_t parent, std::size_t step, std::size_t count) {
        const auto [found, added] = index_.emplace(at.done, states_.size());
        const std::size_t state = found->second;
        if (added) {
            used_ += at.done.words().size();
            states_.push_back({std::move(at), parent, step, count});
        } else {
            State& known = states_[state];
            if (known.closed || known.at.peak <= at.peak) return;
            known.at.peak = at.peak;
            known.parent = parent;
            known.step = step;
        }
        const Beginning& now = states_[state].at;
        queue_.push({now.peak, graph_.steps.size() - count, now.live, state});
    }

    void expand(std::size_t from) {
        moves(graph_, states_[from].at, moves_);
        for (const Move& move : moves_) {
            if (states_[from].at.live + move.cost.during >= goal_.limit) continue;
            Beginning next = states_[from].at;
            next.run(graph_, move.step, move.cost);
            add(std::move(next), from, move.step, states_[from].count + 1);
        }
    }

    std::vector<std::size_t> path(std::size_t state) const {
        std::vector<std::size_t> steps;
        for (; states_[state].parent != kNone; state = states_[state].parent) {
            steps.push_back(states_[state].step);
        }
        std::reverse(steps.begin(), steps.end());
        return steps;
    }

    const OrderGraph& graph_;
    const OrderGoal goal_;
    const std::size_t words_;
    std::size_t used_ = 0;
    std::vector<State> states_;
    std::unordered_map<StepSet, std::size_t, Hash> index_;
    std::priority_queue<Entry> queue_;
    std::vector<Move> moves_;
};

class BeamSearch {
  public:
    BeamSearch(const OrderGraph& graph, const OrderGoal& goal, const OrderEffort& effort)
        : graph_(graph), goal_(goal), effort_(effort) {}

    OrderFound run() {
        OrderFound found;
        found.lower_bound = goal_.enough;
        beam_.assign(1, Beginning(graph_, goal_.enough));
        width_ = std::max<std::size_t>(effort_.beam, 1);
        for (std::size_t level = 0; level < graph_.steps.size() && !beam_.empty(); ++level) {
            advance(level);
            found.states += beam_.size();
        }
        if (beam_.empty() || graph_.steps.empty()) return found;
        found.peak = beam_.front().peak;
        std::size_t at = 0;
        for (auto level = history_.rbegin(); level != history_.rend(); ++level) {
            found.steps.push_back((*level)[at].second);
            at = (*level)[at].first;
        }
        std::reverse(found.steps.begin(), found.steps.end());
        return found;
    }

  private:
    struct Candidate {
        std::size_t peak;
        std::size_t live;
        std::size_t parent;  // in the beam, which is in order of merit
        Move move;
        bool operator<(const Candidate& other) const {
            return std::tie(peak, live, parent, move.step) <
                   std::tie(other.peak, other.live, other.parent, other.move.step);
        }
    };

    void advance(std::size_t level) {
        std::vector<Candidate> candidates;
        for (std::size_t b = 0; b < beam_.size(); ++b) {
            const Beginning& at = beam_[b];
            moves(graph_, at, moves_);
            trials_ += moves_.size();
            for (const Move& move : moves_) {
                const std::size_t during = at.live + move.cost.during;
                if (during >= goal_.limit) continue;
                candidates.push_back(
                    {std::max(at.peak, during), move.cost.after(at.live), b, move});
            }
        }
        std::sort(candidates.begin(), candidates.end());
        std::vector<Beginning> next;
        std::unordered_set<StepSet, Hash> seen;
        auto& history = history_.emplace_back();
        for (const Candidate& candidate : candidates) {
            if (next.size() >= width_) break;
            Beginning at = beam_[candidate.parent];
            at.run(graph_, candidate.move.step, candidate.move.cost);
            if (!seen.insert(at.done).second) continue;
            next.push_back(std::move(at));
            history.emplace_back(candidate.parent, candidate.move.step);
        }
        beam_ = std::move(next);
        narrow(level);
    }

    // Keeps to the trials: each of the steps to come may use its share of what is left.
    void narrow(std::size_t level) {
        const std::size_t left = effort_.trials > trials_ ? effort_.trials - trials_ : 0;
        const std::size_t levels = graph_.steps.size() - level;
        std::size_t each = 1;
        for (const Beginning& at : beam_) each = std::max(each, at.ready.size());
        width_ = std::clamp<std::size_t>(left / levels / each, 1,
                                         std::max<std::size_t>(effort_.beam, 1));
    }

    const OrderGraph& graph_;
    const OrderGoal goal_;
    const OrderEffort effort_;
    std::size_t width_ = 1;
    std::size_t trials_ = 0;
    std::vector<Beginning> beam_;
    std::vector<std::vector<std::pair<std::size_t, std::size_t>>> history_;  // parent, step
    std::vector<Move> moves_;
};

}  // namespace

OrderFound exact_order(const OrderGraph& graph, const OrderGoal& goal, std::size_t words) {
    return ExactSearch(graph, goal, words).run();
}

OrderFound beam_order(const OrderGraph& graph, const OrderGoal& goal, const OrderEffort& effort) {
    return BeamSearch(graph, goal, effort).run();
}

std::vector<std::size_t> nearer_order(const OrderGraph& graph, std::vector<std::size_t> steps,
                                      std::size_t peak, std::size_t trials) {
    Beginning at(graph, 0);
    for (std::size_t place = 0; place < steps.size(); ++place) {
        for (std::size_t step : std::vector<std::size_t>(at.ready)) {
            if (step >= steps[place] || trials < steps.size()) break;
            trials -= steps.size();
            std::vector<std::size_t> moved = steps;
            const auto first = moved.begin() + static_cast<std::ptrdiff_t>(place);
            const auto from = std::find(first, moved.end(), step);
            std::rotate(first, from, from + 1);
            const std::vector<std::size_t> live = graph.live(moved);
            if (*std::max_element(live.begin(), live.end()) > peak) continue;
            steps = std::move(moved);
            break;
        }
        at.run(graph, steps[place], graph.cost(steps[place], at.done));
    }
    return steps;
}

}  // namespace ingot::memory
