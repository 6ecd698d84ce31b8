// runs: those that have ended, of earlier sessions too.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <memory>

#include "commands/answer.h"
#include "commands/ask.h"
#include "commands/run_comparison.h"
#include "commands/run_rows.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/session/run/checkpoint_file.h"
#include "engine/session/settings/imported_models.h"
#include "engine/session/settings/own_machines.h"
#include "engine/session/settings/setting_values.h"
#include "engine/session/settings/settings_file.h"

namespace tpulab::runs_command {

namespace {

constexpr std::string_view usage = "runs [N] | diff A B | rerun A | forget A|all | on|off";
constexpr std::int64_t usual_rows = 20;
constexpr std::int64_t most_rows = 100'000;

using Notes = std::vector<std::string>;

const RunHistory& history_of(const CommandContext& context) {
  const RunHistory& history = context.engine.history();
  if (!history.file().empty()) return history;
  throw Error("runs are not kept here: neither HOME nor XDG_DATA_HOME names a folder");
}

std::int64_t number_of(const std::string& word) {
  const auto number = whole_number(word);
  if (number && *number > 0) return *number;
  throw Error(fmt::format("'{}' is no number of a run; usage: {}", word, usage));
}

KeptRun kept_run(const std::string& word, const CommandContext& context, Notes& notes) {
  const std::int64_t number = number_of(word);
  auto run = history_of(context).find(number, notes);
  if (!run) throw Error(fmt::format("no run is kept as {}; `runs` lists them", number));
  if (!run->trouble.empty()) throw Error(fmt::format("kept run {}: {}", number, run->trouble));
  return *std::move(run);
}

// The file of its machine may be gone.
Settings settings_of(const KeptRun& run) {
  const std::string what = fmt::format("settings of kept run {}", run.record.view.number);
  const std::string& machine = run.record.own_machine;
  try {
    return settings_of_text(run.settings, what);
  } catch (const Error& error) {
    if (machine.empty()) throw;
    throw Error(fmt::format("{}; the file of its machine said: {}", error.what(), machine));
  }
}

void add_troubles(Answer& answer, const std::vector<KeptRun>& runs) {
  for (const KeptRun& run : runs) {
    if (run.trouble.empty()) continue;
    add_line(answer, fmt::format("kept run {}: {}", run.record.view.number, run.trouble));
  }
}

void add_notes(Answer& answer, const Notes& notes) { add_lines(answer, notes); }

Reply list(std::int64_t most, const CommandContext& context) {
  Notes notes;
  const RunHistory& history = history_of(context);
  const std::vector<KeptRun> runs = history.newest(most, notes);
  const std::int64_t all = history.count(notes);
  const bool csv = context.settings.format == "csv";
  Table table = table_of_runs(csv);
  Answer answer;
  if (!csv) add_notes(answer, notes);
  for (const KeptRun& run : runs) {
    add_run(table, run, csv);
    add_row(answer, "kept_run", run_fields_of(run));
  }
  std::vector<std::string> alike;
  if (!csv && context.columns > 0) alike = table.take_out_alike({"run", "steps", "TPU time"});
  const auto gone =
      table.fit(csv ? 0 : context.columns, {"wall", "precision", "when", "how", "loss", "batch",
                                            "bound", "TPU time", "slice", "accuracy", "steps"});
  if (!alike.empty()) add_line(answer, fmt::format("in all runs: {}", fmt::join(alike, "; ")));
  if (csv || !runs.empty()) add_lines(answer, csv ? table.csv() : table.lines());
  if (!runs.empty() && !gone.empty()) add_line(answer, no_room_line(gone));
  if (!csv) {
    add_troubles(answer, runs);
    const std::string shown = std::ssize(runs) < all
                                  ? fmt::format("the newest {} of {}", runs.size(), all)
                                  : count_with(all, "run");
    add_line(answer, runs.empty() ? "no run is kept yet" : shown + "; TPU time is estimated");
    if (!history.on()) add_line(answer, "runs are not kept now; `runs on` keeps them");
  }
  add_fields(answer, {{"runs", all}, {"file", history.file().string()}});
  return reply_of(answer);
}

// Pace and format are the screen's, not the run's.
std::vector<Assignment> differences(const Settings& from, Settings to) {
  to.pace = from.pace;
  to.format = from.format;
  return changes_between(from, to);
}

std::string change_text(const Settings& from, const Assignment& change) {
  return fmt::format("{}: {} -> {}", change.name, setting_named(change.name).show(from),
                     change.value);
}

// Of the file that a model is named by; of runs that an older version kept nobody knows.
bool contents_differ(const RunRecord& then, std::uint64_t now) {
  return then.contents != 0 && now != 0 && then.contents != now;
}

// Of the file of a machine of the user's own, which a run on another one has not.
bool machines_differ(const RunRecord& then, const std::string& now) {
  return !then.own_machine.empty() && !now.empty() && then.own_machine != now;
}

void add_machines_that_differ(Answer& answer, const RunRecord& before, const RunRecord& after) {
  add_line(answer, fmt::format("machine's file: {} -> {}", before.own_machine, after.own_machine));
  add_row(answer, "setting",
          {{"setting", "machine's file"},
           {"before", before.own_machine},
           {"after", after.own_machine}});
}

void add_settings_that_differ(Answer& answer, const KeptRun& before, const KeptRun& after) {
  try {
    const Settings from = settings_of(before);
    const std::vector<Assignment> changes = differences(from, settings_of(after));
    for (const Assignment& change : changes) {
      add_line(answer, change_text(from, change));
      add_row(answer, "setting",
              {{"setting", change.name},
               {"before", setting_named(change.name).show(from)},
               {"after", change.value}});
    }
    const bool other_file = contents_differ(before.record, after.record.contents);
    if (other_file) add_line(answer, fmt::format("model: {} has other contents", from.model));
    const bool other_machine = machines_differ(before.record, after.record.own_machine);
    if (other_machine) add_machines_that_differ(answer, before.record, after.record);
    if (changes.empty() && !other_file && !other_machine) add_line(answer, "the same settings");
  } catch (const Error& error) {
    add_line(answer, fmt::format("settings cannot be compared: {}", error.what()));
  }
}

void add_warnings(Answer& answer, const RunRecord& run) {
  if (!run.view.changed.empty()) {
    add_line(answer, fmt::format("while kept run {} ran, these changed: {}", run.view.number,
                                 run.view.changed));
  }
  if (run.version != TPULAB_VERSION) {
    add_line(answer, fmt::format("kept run {} was of tpulab {}", run.view.number, run.version));
  }
}

std::string losses_in_words(const RunView& before, const RunView& after) {
  return fmt::format("loss {} before, {} after; wall time {:.2f} s before, {:.2f} s after",
                     loss_text(before.loss, "none"), loss_text(after.loss, "none"),
                     before.wall_seconds, after.wall_seconds);
}

Reply diff(Arguments words, const CommandContext& context) {
  if (words.size() != 2) throw Error(fmt::format("runs diff takes two runs; usage: {}", usage));
  Notes notes;
  const KeptRun before = kept_run(words[0], context, notes);
  const KeptRun after = kept_run(words[1], context, notes);
  const bool csv = context.settings.format == "csv";
  Answer answer;
  if (!csv) {
    add_notes(answer, notes);
    add_settings_that_differ(answer, before, after);
    for (const KeptRun* run : {&before, &after}) add_warnings(answer, run->record);
  }
  for (OutputLine& line : compare_runs(before.record, after.record, csv, "kept run")) {
    answer.push_back(std::move(line));
  }
  if (!csv) add_line(answer, losses_in_words(before.record.view, after.record.view));
  return reply_of(answer);
}

// Sets what the run had. Answers what that changes, a line each.
std::vector<std::string> take_settings_of(const KeptRun& run, Settings& settings) {
  Settings wanted = settings_of(run);
  std::vector<std::string> lines;
  for (const Assignment& change : differences(settings, wanted)) {
    lines.push_back(change_text(settings, change));
  }
  if (contents_differ(run.record, known_contents(wanted.model))) {
    lines.push_back(fmt::format("model: {} has other contents than in that run", wanted.model));
  }
  const auto machine = own_machine_of(wanted.slice);
  if (machine && machines_differ(run.record, machine->says)) {
    lines.push_back(fmt::format("slice: {} says something else than in that run: {} then, {} now",
                                machine->file, run.record.own_machine, machine->says));
  }
  if (lines.empty()) lines.emplace_back("the settings are those of that run already");
  wanted.pace = settings.pace;
  wanted.format = settings.format;
  settings = std::move(wanted);
  return lines;
}

// Where a run goes on that did not begin anew; null where that is not there any more, or `settings`
// cannot go on from it.
std::shared_ptr<const TrainerState> beginning_again(const RunView& run, const Settings& settings,
                                                    Notes& lines) {
  if (run.from_step == 0) return nullptr;
  try {
    std::shared_ptr<const TrainerState> state = beginning_in_file(run).state;
    check_can_resume(settings, *state);
    return state;
  } catch (const Error& error) {
    lines.push_back(fmt::format("kept run {} {}, this one begins anew: {}", run.number,
                                beginning_of(run), error.what()));
    return nullptr;
  }
}

Reply rerun(Arguments words, CommandContext& context) {
  if (words.size() != 1) throw Error(fmt::format("runs rerun takes a run; usage: {}", usage));
  Notes lines;
  const KeptRun kept = kept_run(words[0], context, lines);
  Settings taken = context.settings;
  std::ranges::move(take_settings_of(kept, taken), std::back_inserter(lines));
  Settings settings = taken;
  const RunView& was = kept.record.view;
  if (was.state == RunState::stopped && was.step != taken.max_steps) {
    settings.max_steps = was.step;  // as the run that was stopped
    lines.push_back(fmt::format("for this run only: max_steps={}, where kept run {} was stopped",
                                was.step, was.number));
  }
  check_ends(context, settings);
  context.settings = taken;
  context.run_aside = {taken, settings};
  const StartRun start{settings, std::nullopt, std::make_shared<const RunRecord>(kept.record),
                       beginning_again(was, settings, lines), was.from_file};
  Reply reply;
  if (context.interactive) {
    post(context, start);
  } else {
    reply = train(context, start);
  }
  reply.lines.insert(reply.lines.begin(), lines.begin(), lines.end());
  return reply;
}

Reply forget(Arguments words, CommandContext& context) {
  if (words.size() != 1)
    throw Error(fmt::format("runs forget takes a run or all; usage: {}", usage));
  history_of(context);
  Notes notes;
  RunHistory& history = context.engine.history();
  std::int64_t gone = 0;
  if (words[0] == "all") {
    gone = history.forget_all(notes);
  } else if (gone = history.forget(number_of(words[0]), notes); gone == 0) {
    throw Error(fmt::format("no run is kept as {}; `runs` lists them", words[0]));
  }
  Answer answer;
  add_notes(answer, notes);
  add_line(answer, fmt::format("{} forgotten", count_with(gone, "run")));
  add_fields(answer, {{"forgotten", gone}});
  return reply_of(answer);
}

Reply keep(bool on, CommandContext& context) {
  history_of(context);
  context.engine.history().set_on(on);
  Reply reply;
  reply.lines.emplace_back(on ? "runs that end are kept from now on"
                              : "runs that end are not kept for the rest of this session");
  return reply;
}

Reply runs(Arguments arguments, CommandContext& context) {
  if (arguments.empty()) return list(usual_rows, context);
  const std::string& what = arguments.front();
  const Arguments rest = arguments.subspan(1);
  if (what == "diff" || what == "rerun") check_tells_nothing_hidden(context);
  if (what == "diff") return diff(rest, context);
  if (what == "rerun") return rerun(rest, context);
  if (what == "forget") return forget(rest, context);
  if (!rest.empty()) throw Error(fmt::format("usage: {}", usage));
  if (what == "on" || what == "off") return keep(what == "on", context);
  return list(std::min(number_of(what), most_rows), context);
}

std::vector<std::string> complete(Arguments before, const CommandContext& context) {
  if (before.empty()) return {"diff", "rerun", "forget", "on", "off"};
  if (before.front() == "on" || before.front() == "off") return {};
  std::vector<std::string> numbers;
  if (before.front() == "forget") numbers.emplace_back("all");
  for (const std::int64_t number : context.engine.history().numbers_at_a_glance(usual_rows)) {
    numbers.push_back(std::to_string(number));
  }
  return numbers;
}

}  // namespace

extern const Command row;
const Command row{
    "runs",
    usage,
    "List the runs that have ended, compare two of them, or do one again.",
    "Runs outlive the program: each that ends, also in scripts and by -c, is kept with its "
    "settings and figures under a number of its own, in runs.sqlite of $XDG_DATA_HOME/tpulab "
    "(~/.local/share/tpulab), for you alone. runs lists the newest 20, runs 100 that many, and how "
    "each began; runs "
    "diff 3 7 says which settings differ, and what the files of machines of your own said, then "
    "both phase by phase, and which began cold; runs "
    "rerun 3 sets its settings, runs, and says whether the losses are the same in every bit, and "
    "if "
    "not why; runs forget 3 overwrites it in the file, runs forget all every one. runs off keeps "
    "none of this session's, --no-history none and no typed lines; history = false in config.toml "
    "does so for good. `format csv` before it gives raw numbers, --json an object a run.",
    runs,
    complete,
};

}  // namespace tpulab::runs_command
