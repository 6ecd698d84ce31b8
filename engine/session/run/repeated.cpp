// A run set beside the kept one that it does again.
#include <fmt/format.h>

#include <cmath>

#include "engine/base/text.h"
#include "engine/session/run/run.h"

namespace tpulab {

namespace {

std::string then_and_now(std::string_view what, const std::string& then, const std::string& now) {
  return fmt::format("{} {} then, {} now", what, then, now);
}

std::string number_text(double value) {
  return std::isnan(value) ? "none" : fmt::format("{:.4f}", value);
}

// Why losses cannot be expected to be the same; empty if they can.
std::string why_not_the_same(const RunRecord& then, const RunRecord& now) {
  const auto differs = [&](std::string_view what, const std::string& a, const std::string& b) {
    return fmt::format("other {}: {}", what, then_and_now("", a, b).substr(1));
  };
  for (const RunRecord* run : {&then, &now}) {
    if (!run->view.changed.empty()) {
      return fmt::format("settings changed while {} ran: {}",
                         run == &then ? "the kept one" : "this one", run->view.changed);
    }
  }
  if (then.contents != now.contents && then.contents != 0) {
    return fmt::format("the contents of {} have changed", now.view.model);
  }
  if (then.view.from_step != now.view.from_step) {
    return fmt::format("the kept one {}, this one {}", beginning_of(then.view),
                       beginning_of(now.view));
  }
  if (then.view.step != now.view.step) {
    return differs("number of steps", text_with_commas(then.view.step),
                   text_with_commas(now.view.step));
  }
  if (then.view.products != now.view.products) {
    return differs("library or instruction set", then.view.products, now.view.products);
  }
  if (then.version != now.version) return differs("tpulab", then.version, now.version);
  return {};
}

bool of_the_same_steps(const RunView& then, const RunView& now) {
  return then.from_step == now.from_step && then.step == now.step;
}

std::string losses_text(const RunRecord& then, const RunRecord& now) {
  if (!then.view.numbers || !now.view.numbers) return "time only: there are no losses to compare";
  const std::string why = why_not_the_same(then, now);
  if (!of_the_same_steps(then.view, now.view)) return "losses are of other steps; " + why;
  if (then.losses == now.losses) {
    return fmt::format("losses: the same in every bit, {}{}",
                       count_with(now.view.step - now.view.from_step, "step"),
                       why.empty() ? "" : ", though " + why);
  }
  if (!why.empty()) return "losses differ; " + why;
  return "losses differ, though settings, library and instruction set are the same: a file that "
         "the settings name may hold something else now";
}

// What a cold start takes too where that is known of both, as of the whole run.
Picoseconds step_of(const RunRecord& run, bool cold) {
  return cold ? run.cold->steady->time : run.view.step_time;
}

}  // namespace

std::string beginning_of(const RunView& run) {
  if (run.from_step == 0) return "began anew";
  return fmt::format("went on from a checkpoint behind step {}", run.from_step);
}

void Run::say_repeated(const RunRecord& now) const {
  if (again_ == nullptr) return;
  const RunRecord& then = *again_;
  const bool cold = then.cold && now.cold;
  const Picoseconds time_then = cold ? then.cold->time : then.view.tpu_time;
  const Picoseconds time_now = cold ? now.cold->time : now.view.tpu_time;
  const bool steady = cold && then.cold->steady && now.cold->steady;
  const std::string from = cold ? "TPU time (estimated) from a cold start" : "TPU time (estimated)";
  say(fmt::format(
          "run {} does the kept run {} again: {}; {}; {}; {}", number_, then.view.number,
          then_and_now(from, text_of(time_then), text_of(time_now)),
          then_and_now("a step", text_of(step_of(then, steady)), text_of(step_of(now, steady))),
          then_and_now("loss", number_text(then.view.loss), number_text(now.view.loss)),
          then_and_now("test accuracy", number_text(then.view.test_accuracy),
                       number_text(now.view.test_accuracy))),
      "repeated",
      {{"kept", then.view.number},
       {"kept_seconds", in_seconds(time_then)},
       {"tpu_seconds", in_seconds(time_now)},
       {"kept_loss", then.view.loss},
       {"loss", now.view.loss},
       {"same_losses", std::int64_t{then.losses == now.losses && then.view.numbers}}});
  say(losses_text(then, now), "repeated.losses", {});
}

}  // namespace tpulab
