#include "memory/order.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "memory/order_graph.h"
#include "memory/order_search.h"

namespace ingot::memory {
namespace {

// A stretch of the model's order, from one step up to but without another.
struct Segment {
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t peak = 0;  // of the model's order
};

// Which steps must run after all before them and before all behind them. All before step p lead
// to it when each has a next one that is not behind p, as then a way from any of them can't pass
// p by; and likewise behind it.
std::vector<bool> dividing_steps(const OrderGraph& graph) {
    const std::size_t count = graph.steps.size();
    std::vector<bool> divides(count, true);
    std::size_t farthest = 0;  // of the nearest next steps of all steps so far
    for (std::size_t s = 0; s < count; ++s) {
        if (farthest > s) divides[s] = false;
        const std::vector<std::size_t>& after = graph.steps[s].after;
        farthest = std::max(farthest, after.empty() ? count : after.front());
    }
    std::size_t nearest = count;  // of the latest previous steps of all steps behind, plus one
    for (std::size_t s = count; s-- > 0;) {
        if (nearest < s + 1) divides[s] = false;
        const std::vector<std::size_t>& before = graph.steps[s].before;
        nearest = std::min(nearest, before.empty() ? 0 : before.back() + 1);
    }
    return divides;
}

class Orderer {
  public:
    Orderer(OrderGraph graph, const OrderEffort& effort)
        : graph_(std::move(graph)), effort_(effort) {}

    Order run() {
        order_.steps.resize(graph_.steps.size());
        std::iota(order_.steps.begin(), order_.steps.end(), std::size_t{0});
        during_ = graph_.live(order_.steps);
        order_.model_peak = peak(during_);
        order_.lower_bound = graph_.at_ends;
        for (std::size_t s = 0; s < graph_.steps.size(); ++s) {
            order_.lower_bound = std::max(order_.lower_bound, graph_.least(s));
        }
        search();
        order_.peak = peak(graph_.live(order_.steps));
        return std::move(order_);
    }

  private:
    std::size_t peak(const std::vector<std::size_t>& live) const {
        return live.empty() ? graph_.at_ends
                            : std::max(graph_.at_ends, *std::max_element(live.begin(), live.end()));
    }

    // Stretches between dividing steps, and what is live before each step in the model's order:
    // before a stretch it is live in every order.
    std::vector<Segment> segments() {
        const std::vector<bool> divides = dividing_steps(graph_);
        std::vector<Segment> result;
        StepSet done(graph_.steps.size());
        std::size_t live = graph_.live_at_start();
        for (std::size_t s = 0; s < graph_.steps.size(); ++s) {
            live_before_.push_back(live);
            live = graph_.cost(s, done).after(live);
            done.add(s);
            if (divides[s]) {
                order_.lower_bound = std::max(order_.lower_bound, during_[s]);
            } else if (!result.empty() && result.back().last == s) {
                result.back().last = s + 1;
                result.back().peak = std::max(result.back().peak, during_[s]);
            } else {
                result.push_back({s, s + 1, during_[s]});
            }
        }
        return result;
    }

    // The stretch that needs most first: what it needs at least, the others may need as well.
    void search() {
        std::vector<Segment> all = segments();
        std::stable_sort(all.begin(), all.end(),
                         [](const Segment& a, const Segment& b) { return a.peak > b.peak; });
        std::size_t enough = order_.lower_bound;
        for (const Segment& segment : all) {
            if (segment.peak <= enough) break;
            enough = std::max(enough, search(segment, {segment.peak, enough}));
        }
    }

    // The peak that the stretch has then.
    std::size_t search(const Segment& segment, const OrderGoal& goal) {
        const OrderGraph graph =
            part(graph_, segment.first, segment.last, live_before_[segment.first]);
        OrderFound found = exact_order(graph, goal, effort_.words / 2);
        effort_.words -= std::min(found.words, effort_.words);
        order_.lower_bound = std::max(order_.lower_bound, found.lower_bound);
        order_.states += found.states;
        if (found.steps.empty() && found.lower_bound < goal.limit) {
            effort_.trials /= 2;
            found = beam_order(graph, {goal.limit, found.lower_bound}, effort_);
            order_.states += found.states;
        }
        if (found.steps.empty()) return goal.limit;
        found.steps = nearer_order(graph, std::move(found.steps), found.peak, effort_.trials);
        for (std::size_t i = 0; i < found.steps.size(); ++i) {
            order_.steps[segment.first + i] = segment.first + found.steps[i];
        }
        return found.peak;
    }

    const OrderGraph graph_;
    OrderEffort effort_;  // that is left: a stretch gets half of it
    Order order_;
    std::vector<std::size_t> during_;       // live in each step of the model's order
    std::vector<std::size_t> live_before_;  // each step of the model's order
};

}  // namespace

Order best_order(const program::Program& program, bool inputs_overwritable,
                 const OrderEffort& effort) {
    return Orderer(order_graph(program, inputs_overwritable), effort).run();
}

program::Program reordered(const program::Program& program, const std::vector<std::size_t>& steps) {
    std::vector<bool> taken(program.steps.size(), false);
    program::Program result = program;
    result.steps.clear();
    for (std::size_t step : steps) {
        if (taken.at(step)) throw std::logic_error("an order has a step twice");
        taken[step] = true;
        result.steps.push_back(program.steps[step]);
    }
    if (result.steps.size() != program.steps.size()) {
        throw std::logic_error("an order leaves steps out");
    }
    return result;
}

}  // namespace ingot::memory
