// Whether advice names a hidden fault: 60 with one, 60 with two, 20 healthy experiments, drawn at
// random over networks, slices and stacks; and whether the next run gains what was predicted. What
// gets a fault is an experiment of which advice has nothing to say. `--draw N` draws others.
// TPU time throughout, estimated.
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <functional>
#include <random>

#include "bench/row.h"
#include "engine/base/error.h"
#include "engine/session/answers/advise.h"
#include "engine/session/answers/estimate.h"
#include "engine/session/engine.h"

namespace tpulab::bench {
namespace {

constexpr int single_faults = 60;
constexpr int double_faults = 60;
constexpr int healthy_experiments = 20;
constexpr unsigned first_draw = 20'261;

using Random = std::mt19937;

int between(Random& random, int least, int most) {
  return std::uniform_int_distribution(least, most)(random);
}

template <class Range>
auto one_of(Random& random, const Range& range) {
  return range[static_cast<std::size_t>(
      between(random, 0, static_cast<int>(std::size(range)) - 1))];
}

struct Fault {
  std::string cause;
  std::vector<Assignment> changes;
};

// Of the same family two do not go together: each makes the other's setting its own.
Fault drawn_fault(Random& random, int kind) {
  const auto text = [](auto value) { return fmt::format("{}", value); };
  const double factor = 1.3 + 0.1 * between(random, 0, 17);
  switch (kind) {
    case 0:
      return {"item", {{"item_every_n_steps", text(between(random, 1, 3))}}};
    case 1:
      return {"logging", {{"log_every_n_steps", text(between(random, 1, 2))}}};
    case 2:
      return {"progress_bar", {{"progress_bar", "on"}}};
    case 3:
      return {"straggler",
              {{"straggler",
                fmt::format("{}:{}:{:.1f}", between(random, 0, 1) ? "core" : "host", 0, factor)}}};
    case 4:
      return {"slow_host", {{"host", "colab-node-2021"}}};
    case 5:
      return {"unused_devices", {{"devices", "1"}}};
    case 6:
      return {"small_batch", {{"batch", text(between(random, 1, 6))}}};
    case 7:
      return {"wide_storage", {{"precision", "32-true"}}};
    case 8:
      return {"recompiles", {{"shapes", "random"}}};
    case 9:
      return {"slow_loader",
              {{"loader_workers", text(between(random, 0, 2))},
               {"loader_row_us", text(1000 * between(random, 3, 20))}}};
    case 10: {
      constexpr std::array<const char*, 4> ops{"median", "histc", "bucketize", "huber_loss"};
      return {"fallback", {{"fallback_op", one_of(random, ops)}}};
    }
    default:
      return {"matmul_passes", {{"matmul.precision", "highest"}, {"precision", "32-true"}}};
  }
}
constexpr int fault_kinds = 12;

struct Network {
  const char* model;
  const char* batch;
};

// Large enough that little of it is slow by itself, without a shorter last batch, which is one of
// the faults: it compiles a program of its own for a single step.
Settings drawn_base(Random& random) {
  constexpr std::array<Network, 8> networks{{{"resnet18", "256"},
                                             {"resnet34", "256"},
                                             {"resnet50", "128"},
                                             {"resnet101", "96"},
                                             {"bert-base", "48"},
                                             {"bert-large", "24"},
                                             {"vit-b16", "96"},
                                             {"roberta-base", "48"}}};
  constexpr std::array<const char*, 6> slices{"v2-8", "v3-8", "v3-32", "v4-8", "v5e-8", "v6e-8"};
  constexpr std::array<const char*, 3> stacks{"jax", "pytorch-xla", "tensorflow"};
  const Network network = one_of(random, networks);
  Settings settings;
  change_all(settings, std::vector<Assignment>{{"numbers", "off"},
                                               {"model", network.model},
                                               {"slice", one_of(random, slices)},
                                               {"stack", one_of(random, stacks)},
                                               {"precision", "bf16-true"},
                                               {"batch", network.batch},
                                               {"drop_last", "on"}});
  settings.max_steps = between(random, 60, 300);
  return settings;
}

Advice advice_on(const Settings& settings) { return advise(settings, std::nullopt, {}); }

// Draws until advice has nothing to say.
Settings healthy_base(Random& random) {
  for (;;) {
    try {
      Settings settings = drawn_base(random);
      if (advice_on(settings).remedies.empty()) return settings;
    } catch (const Error&) {  // does not fit: another one
    }
  }
}

// A fault is there if it costs a tenth of the rate.
bool costs(const Settings& base, const Settings& faulty) {
  constexpr double least_loss = 0.9;
  return tried(faulty, {}).steady_rate < least_loss * tried(base, {}).steady_rate;
}

std::optional<Settings> with(Settings settings, const Fault& fault) {
  try {
    const Settings base = settings;
    change_all(settings, fault.changes);
    if (costs(base, settings)) return settings;
  } catch (const Error&) {  // the settings do not go together
  }
  return std::nullopt;
}

std::string cause_at(const Advice& advice, std::size_t place) {
  return place < advice.remedies.size() ? std::string(advice.remedies[place].cause->name) : "";
}

// What the run gains that is made with the remedy's settings.
double gained(const Remedy& remedy, const Trial& before) {
  Settings settings = remedy.settings;
  settings.pace = "max";
  Engine engine;
  engine.post(StartRun{settings});
  engine.wait();
  return engine.latest()->run.tpu_rate_steady / before.steady_rate - 1;
}

// Within 10 % of the gain or 1 % of the run.
bool comes_true(const Remedy& remedy, const Trial& before) {
  const double predicted = remedy.gain.steady;
  const double actual = gained(remedy, before);
  return std::abs(predicted - actual) <= std::max(0.1 * std::abs(actual), 0.01);
}

void say(const std::string& what, const Settings& settings, const Advice& advice) {
  if (json_rows()) return;
  fmt::print("  {} on {} {} {}: {}, {}\n", what, settings.model, settings.slice, settings.stack,
             cause_at(advice, 0), cause_at(advice, 1));
}

void measure_single(Random& random) {
  int first = 0;
  int came_true = 0;
  for (int done = 0; done < single_faults;) {
    const Settings base = healthy_base(random);
    const Fault fault = drawn_fault(random, between(random, 0, fault_kinds - 1));
    const auto faulty = with(base, fault);
    if (!faulty) continue;
    ++done;
    const Advice advice = advice_on(*faulty);
    const bool right = cause_at(advice, 0) == fault.cause;
    first += right ? 1 : 0;
    if (!right) say(fault.cause, *faulty, advice);
    if (!advice.remedies.empty() && comes_true(advice.remedies[0], advice.now)) ++came_true;
  }
  row("advice", "one fault, named first", first, "of 60", 56, "higher");
  row("advice", "its gain came true in the next run", came_true, "of 60", 60, "higher");
}

void measure_double(Random& random) {
  int both = 0;
  for (int done = 0; done < double_faults;) {
    const Settings base = healthy_base(random);
    const int kind = between(random, 0, fault_kinds - 1);
    const int other = (kind + between(random, 1, fault_kinds - 1)) % fault_kinds;
    const Fault a = drawn_fault(random, kind);
    const Fault b = drawn_fault(random, other);
    const auto one = with(base, a);
    const auto two = one ? with(*one, b) : std::nullopt;
    // Whichever is cured alone leaves the other to be seen.
    const auto alone = with(base, b);
    if (!two || !alone || !costs(*alone, *two)) continue;
    ++done;
    const Advice advice = advice_on(*two);
    const std::array<std::string, 2> named{cause_at(advice, 0), cause_at(advice, 1)};
    const bool right = std::ranges::find(named, a.cause) != named.end() &&
                       std::ranges::find(named, b.cause) != named.end();
    both += right ? 1 : 0;
    if (!right) say(a.cause + " and " + b.cause, *two, advice);
  }
  row("advice", "two faults, both in the first two", both, "of 60", 50, "higher");
}

// What binds its steps is the chip itself: on a fast slice some of these batches leave it waiting
// for the host, which is a fault and no health. Told by freeing each resource, not by advice.
bool is_bound_by_the_chip(const Settings& settings) {
  constexpr std::array<std::string_view, 4> parts{"matrix units", "vector unit", "HBM", "links"};
  return std::ranges::find(parts, estimate(settings).bound) != parts.end();
}

// With the trade for coarser products made, as that for bf16-true is.
Settings narrowest(Settings settings) {
  if (slice_named(settings.slice).generation->int8_speed > 1) change(settings, "quant", "int8");
  return settings;
}

// Whatever advice says.
void measure_healthy(Random& random) {
  int silent = 0;
  for (int done = 0; done < healthy_experiments;) {
    const Settings settings = narrowest(drawn_base(random));
    try {
      if (!is_bound_by_the_chip(settings)) continue;
      const Advice advice = advice_on(settings);
      ++done;
      silent += advice.remedies.empty() ? 1 : 0;
      if (!advice.remedies.empty()) say("healthy", settings, advice);
    } catch (const Error&) {  // does not fit: another one
    }
  }
  row("advice", "healthy experiments without advice", silent, "of 20", 20, "higher");
}

}  // namespace
}  // namespace tpulab::bench

int main(int argc, char** argv) try {
  using tpulab::bench::Random;
  unsigned draw = tpulab::bench::first_draw;
  if (argc > 2 && std::string_view(argv[1]) == "--draw") {
    draw = static_cast<unsigned>(std::stoul(argv[2]));
    argv += 2;
    argc -= 2;
  }
  if (!tpulab::bench::parse_bench_arguments(argc, argv)) return 2;
  Random random(draw);
  tpulab::bench::measure_single(random);
  tpulab::bench::measure_double(random);
  Random another(draw + 1);  // not after however many draws the faults took
  tpulab::bench::measure_healthy(another);
} catch (const std::exception& error) {
  std::fputs(error.what(), stderr);
  return 1;
}
