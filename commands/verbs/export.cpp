// export: what can be taken away from a run, as a file.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <system_error>

#include "commands/answer.h"
#include "commands/ask.h"
#include "commands/command.h"
#include "commands/words.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/base/write_file.h"
#include "engine/session/answers/exports.h"
#include "engine/session/answers/whose_figures.h"

namespace tpulab::export_command {

namespace {

constexpr std::string_view usage = "export trace FILE [STEPS] | steps|tensorboard|lightning PATH";
constexpr std::int64_t usual_steps = 200;
constexpr std::int64_t most_steps = 20'000;

RunEvidence newest(const CommandContext& context) {
  std::optional<RunEvidence> run = context.engine.newest_evidence();
  if (!run || run->records.empty()) throw Error("no run has recorded a step yet; `run` first");
  return *std::move(run);
}

std::int64_t steps_of(Arguments rest) {
  if (rest.empty()) return usual_steps;
  const std::int64_t steps = number_in<std::int64_t>(rest[0]).value_or(0);
  if (rest.size() > 1 || steps < 1 || steps > most_steps) {
    throw Error(fmt::format("STEPS is a whole number from 1 to 20,000; usage: {}", usage));
  }
  return steps;
}

// "all 15 recorded steps and evaluations"
std::string extent_of(const Exported& made) {
  const bool all = made.steps == made.recorded;
  const std::string first = all ? "" : fmt::format("the first {} of ", made.steps);
  if (made.first_step == 0) {
    return fmt::format("{}{} recorded steps and evaluations", all ? "all " : first, made.recorded);
  }
  return fmt::format("{}the newest {} steps and evaluations, from step {} on", first, made.recorded,
                     made.first_step);
}

Reply written(const std::string& file, const Exported& made, const std::string& what,
              const std::string& then) {
  write_file(file, made.text);
  Answer answer;
  add_line(answer, fmt::format("{}: {} of {}, {}", file, what, extent_of(made), then));
  add_fields(answer, {{"file", file},
                      {"steps", made.steps},
                      {"first_step", made.first_step},
                      {"lines", made.lines}});
  return reply_of(answer);
}

Reply export_trace(Arguments rest, const CommandContext& context) {
  const std::int64_t steps = steps_of(rest.subspan(1));
  const Exported made = trace_of(newest(context), steps);
  return written(rest[0], made, fmt::format("{} events", made.lines),
                 "on the clock of TPU time (estimated); open it in ui.perfetto.dev");
}

Reply export_steps(Arguments rest, const CommandContext& context) {
  const bool json = rest[0].ends_with(".jsonl") || rest[0].ends_with(".json");
  if (!json && !rest[0].ends_with(".csv")) {
    throw Error("`export steps` writes a .csv or a .jsonl file; name one");
  }
  const RunEvidence run = newest(context);
  const Exported made = steps_of(run, json ? StepLines::jsonl : StepLines::csv);
  const std::string whose = whose_shares(run.machine);
  return written(rest[0], made, "a line each",
                 "in seconds of TPU time (estimated)" + (whose.empty() ? "" : "; " + whose));
}

Reply export_tensorboard(Arguments rest, const CommandContext& context) {
  const RunEvidence run = newest(context);
  const Exported made = events_of(run);
  const std::filesystem::path file = std::filesystem::path(rest[0]) / event_file_name(run);
  make_folders(file.parent_path());
  return written(
      file.string(), made, fmt::format("{} scalars", made.lines),
      fmt::format(
          "wall time of events is exact at evaluations alone; TPU time (estimated) in series "
          "of its own; "
          "tensorboard --logdir {}",
          rest[0]));
}

Reply export_lightning(Arguments rest, const CommandContext& context) {
  check_tells_nothing_hidden(context);
  write_file(rest[0], lightning_script(context.settings));
  Answer answer;
  add_line(answer,
           fmt::format("{}: the next run as a PyTorch Lightning script; its head says how to "
                       "get a slice, its report is read by `analyse`",
                       rest[0]));
  add_fields(answer, {{"file", rest[0]}});
  return reply_of(answer);
}

// What the next run reads is no place for what this one writes.
void check_is_no_input(const std::string& file, const Settings& settings) {
  std::error_code none;
  for (const std::string& input : split(settings.data + "," + settings.model, ',')) {
    if (!std::filesystem::equivalent(file, input, none)) continue;
    throw Error(fmt::format("{} is what the next run reads; export to another file", file));
  }
}

constexpr std::array<std::string_view, 4> kinds{"trace", "steps", "tensorboard", "lightning"};

[[noreturn]] void refuse_kind(const std::string& kind) {
  const bool form = kind == "csv" || kind == "json" || kind == "jsonl";
  throw Error(fmt::format("there is no export '{}'; {}usage: {}", kind,
                          form ? "`export steps steps.csv` or steps.jsonl writes the steps of a "
                                 "run, `format csv` and --json are for answers; "
                               : "",
                          usage));
}

Reply export_as(Arguments arguments, CommandContext& context) {
  if (arguments.empty()) throw Error(fmt::format("usage: {}", usage));
  const std::string& kind = arguments[0];
  if (std::ranges::find(kinds, kind) == kinds.end()) refuse_kind(kind);
  const std::size_t most = kind == "trace" ? 3 : 2;
  if (arguments.size() < 2 || arguments.size() > most) throw Error(fmt::format("usage: {}", usage));
  std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
  rest[0] = file_named(rest[0]);
  check_is_no_input(rest[0], context.settings);
  if (kind == "trace") return export_trace(rest, context);
  if (kind == "steps") return export_steps(rest, context);
  if (kind == "tensorboard") return export_tensorboard(rest, context);
  return export_lightning(rest, context);
}

std::vector<std::string> complete(Arguments before, const CommandContext&) {
  if (before.empty()) return {kinds.begin(), kinds.end()};
  return {};
}

}  // namespace

extern const Command row;
const Command row{
    "export",
    usage,
    "Write the newest run as a trace, a table or for TensorBoard, or the next one as a script.",
    "trace: host, loader and devices for Perfetto (ui.perfetto.dev) or chrome://tracing, the first "
    "200 steps unless told; steps: a line a step with where its time went, its loss (where the "
    "curve keeps it: at most 2,048 points) and accuracies, .csv or .jsonl, evaluations among them, "
    "and a restart behind a preemption, which takes back the samples that were not saved; "
    "tensorboard: an event file in a folder of the run's own below FOLDER: train/loss (at most "
    "2,048 "
    "points), test/accuracy, and of each recorded step its TPU time as tpu_time_estimated/...; the "
    "wall time of an event is exact at evaluations, and spread evenly over the steps between them, "
    "pauses left out; lightning: a script that runs the same experiment on a real TPU and prints "
    "the metrics report "
    "that `analyse` reads. A file that is there is replaced whole.",
    export_as,
    complete,
};

}  // namespace tpulab::export_command
