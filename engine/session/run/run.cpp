#include "engine/session/run/run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/base/instruction_set.h"
#include "engine/base/text.h"
#include "engine/base/workers.h"
#include "engine/forecast/mesh.h"
#include "engine/machine/straggler.h"
#include "engine/session/run/bounds.h"
#include "engine/session/run/checkpoint_file.h"
#include "engine/session/run/telling_records.h"
#include "engine/session/settings/imported_models.h"
#include "engine/session/settings/memory_check.h"
#include "engine/session/settings/no_effect.h"
#include "engine/session/settings/same_steps.h"
#include "engine/session/settings/setting_meanings.h"

namespace tpulab {

namespace {

// Often enough to be of now, seldom enough to cost nothing; the first steps each, as short runs
// have no others.
constexpr std::int64_t steps_between_bounds = 8;
bool is_time_for_bounds(std::int64_t step) {
  return step < steps_between_bounds || step % steps_between_bounds == 0;
}

constexpr double least_wait = 0.005;  // of a step: what nobody would notice is below

bool acts_at_once(const std::string& name) { return setting_named(name).effect == Effect::at_once; }

}  // namespace

Run::Run(std::int64_t number, const Settings& settings, ProgramCache& cache, WorkerPool& workers,
         Metrics& metrics, OutputLog& log, const TrainerState* from)
    : number_(number),
      settings_(settings),
      contents_(known_contents(settings.model)),
      words_(words_of(settings)),
      log_(log),
      lead_(workers.peers(), settings, from),
      steps_(settings, cache, workers, metrics),
      timeline_(steps_.machine(), steps_.groups()),
      began_(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())) {
  if (from != nullptr) steps_.restore(*from);
  lead_.begun();
  Simulator before(steps_.machine());  // what the model's upload took, which no advance() tells
  for (const StepRecord& record : steps_.records()) timeline_.add(before.step(record), record);
  announce();
  if (from == nullptr) return;
  from_step_ = steps_.step();
  from_digest_ = digest_of(*from);
  announce_restored();
}

Run::Words Run::words_of(const Settings& settings) {
  return {.batch = batch_text(settings),
          .precision = effective_precision(settings),
          .products = products_text(settings),
          .peak = peak_meaning(settings),
          .epochs = has_epochs(settings)};
}

void Run::advance() {
  StepReport report = lead_.advance([this] { return steps_.advance(); });
  check_loss(report);
  const bool trains = report.timeline.kind == StepKind::train;
  if (trains && !report.timeline.compiled && !first_warm_) first_warm_ = {steps_.step(), elapsed()};
  meter_.add(report);
  timeline_.add(report.timeline, steps_.records().back());
  if (is_time_for_bounds(steps_.step()) || compiled_most_ != compiles_most()) {
    look_at_bounds();
    tell_slow_part();
  }
  tell_restart(report);
  tell_compiles(report);
  tell_fallbacks(report);
  if (!report.test_accuracy) return;
  accuracies_.push_back(
      {steps_.epoch(), *report.test_accuracy, tpu_time(), elapsed().count(), steps_.step()});
  tell_epoch(report);
}

// No later step would make it a number again.
void Run::check_loss(const StepReport& report) const {
  if (!report.loss || std::isfinite(*report.loss)) return;
  const std::string_view what = std::isnan(*report.loss) ? "not a number" : "infinite";
  if (steps_.step() == 1) {
    throw Error(
        fmt::format("the loss is {} at step 1, before anything was learned; look at the "
                    "numbers that it is made of",
                    what));
  }
  std::vector<std::string> hints;
  const auto add = [&](std::string_view name, std::string hint) {
    if (no_effect(settings_, name).empty()) hints.push_back(std::move(hint));
  };
  add("learning_rate", fmt::format("a learning_rate below {}", settings_.learning_rate));
  if (settings_.warmup_steps == 0) add("warmup_steps", "warmup_steps");
  if (settings_.precision != "32-true") add("precision", "precision 32-true");
  if (hints.empty()) hints.emplace_back("other numbers of its arguments");
  throw Error(fmt::format("the loss is {} at step {}: the training has diverged; try {}", what,
                          steps_.step(), fmt::join(hints, ", ")));
}

void Run::change(const Settings& settings, std::span<const std::string> names) {
  Settings changed = settings_;
  take_settings(changed, settings, names);
  // No step knows them.
  if (std::ranges::all_of(names, acts_at_once)) {
    settings_ = std::move(changed);
    words_ = words_of(settings_);
    return;
  }
  try {
    check_settings(changed);
    if (!is_named(changed)) check_memory(changed);
    lead_.change(changed);
    steps_.change(changed);
  } catch (const Error& error) {
    const std::string text = fmt::format("run {} goes on as it was: {}", number_, error.what());
    log_.add(OutputLine::Kind::error, text, "refused", {{"message", text}});
    return;
  }
  for (const std::string& name : names) {
    if (!acts_at_once(name)) changed_ += (changed_.empty() ? "" : ", ") + name;
  }
  const bool alike = same_steps(settings_, changed);
  settings_ = std::move(changed);
  words_ = words_of(settings_);
  if (alike) return;
  prediction_.reset();
  meter_.set_steady({});
  alike_since_ = steps_.step() + 1;
}

void Run::set_state(RunState state) {
  state_ = state;
  look_at_bounds();
}

void Run::look_at_bounds() {
  compiled_most_ = compiles_most();
  bound_ = bound_now();
  slow_ = slow_now();
}

// The newest that do what steps do now.
ToldRecords Run::records_that_bind() const {
  constexpr std::size_t most_under_way = 32;
  const std::span<const StepRecord> all(steps_.records());
  const Machine& machine = steps_.machine();
  ToldRecords told = state_ == RunState::training
                         ? replayed(telling_records(all, most_under_way), machine)
                         : told_records(all, meter_.steady().step_time(), machine);
  std::span<const StepRecord> newest = told.records;
  while (!newest.empty() && newest.front().step < alike_since_) newest = newest.subspan(1);
  return newest.size() == told.records.size() ? told : replayed(newest, machine, told.told);
}

// While compiles take most of the newest steps of a run under way, they bind, whatever the steps
// between them do; of a run that has ended these steps are what can be told.
Binding Run::bound_now() const {
  if (state_ == RunState::training && compiled_most_) {
    return {.name = "compile", .saves = 0, .which = meter_.compiles().which()};
  }
  const Bounds bounds = bounds_of(records_that_bind(), steps_.machine());
  if (bounds.first.empty()) return {};
  return {.name = bounds.first,
          .saves = 1 - in_seconds(bounds.without) / in_seconds(bounds.step),
          .between_compiles = compiled_most_};
}

bool Run::compiles_most() const { return meter_.recent_shares()[index_of(Share::compile)] > 0.5; }

// What it costs is what the same steps save on a machine without it.
SlowPart Run::slow_now() const {
  const Straggler* part = slowest_part(steps_.machine());
  if (part == nullptr) return {};
  const auto [newest, told, now] = records_that_bind();
  const Picoseconds step = now.step_time();
  if (step.count() <= 0) return {};
  Machine alike = steps_.machine();
  alike.stragglers.clear();
  const Picoseconds costs = step - steady_step(newest, alike, told);
  return {.name = name_of(*part, alike.slice),
          .text = text_of(*part, steps_.machine()),
          .costs = costs,
          .hidden = in_seconds(costs) <= least_wait * in_seconds(step)};
}

void Run::fail(const std::exception& error) {
  failure_ = text_of_failure(error);
  impossible_ = dynamic_cast<const Impossible*>(&error) != nullptr;
  state_ = RunState::failed;
  log_.add(OutputLine::Kind::error, failure_, "failure", {{"message", failure_}});
}

void Run::announce() const {
  const RunView now = view();
  log_.add(OutputLine::Kind::text,
           fmt::format("run {}: {}, {}on {} of {}; batch {}; {}", number_, now.model,
                       now.parameters > 0
                           ? fmt::format("{} parameters, ", text_with_commas(now.parameters))
                           : "",
                       now.devices, now.machine, now.batch, now.precision),
           "run",
           {{"run", number_},
            {"model", now.model},
            {"parameters", now.parameters},
            {"machine", now.machine},
            {"devices", now.devices},
            {"batch", settings_.devices_a_row > 1 ? EventValue(show_batch(settings_))
                                                  : EventValue(settings_.batch)},
            {"world", std::int64_t{steps_.machine().world()}},
            {"precision", now.precision},
            {"products", now.products}});
  if (number_ == 1 && settings_.numbers) announce_slowness();
  if (steps_.trainer() != nullptr) announce_sampler(*steps_.trainer());
  if (steps_.timed() != nullptr) announce_timed(*steps_.timed());
  if (lead_.processes() > 1) announce_processes();
}

void Run::announce_processes() const {
  const int own = steps_.machine().world() / lead_.processes();
  log_.add(OutputLine::Kind::text,
           fmt::format("{} processes compute {} each, and sum as one with replicas separate would",
                       lead_.processes(), own == 1 ? "1 core" : fmt::format("{} cores", own)),
           "processes", {{"processes", std::int64_t{lead_.processes()}}});
}

void Run::announce_restored() const {
  log_.add(OutputLine::Kind::text,
           fmt::format("it goes on behind step {}, in epoch {}; its clocks begin anew",
                       steps_.step(), steps_.epoch() + 1),
           "resumed", {{"step", steps_.step()}, {"epoch", steps_.epoch()}});
}

// Once a session: nothing can be done about it but to know why.
void Run::announce_slowness() const {
  if (!lacks_wide_instructions()) return;
  log_.add(OutputLine::Kind::text,
           "this CPU has no AVX2: the numbers are the same, but take several times longer", "slow",
           {});
}

void Run::announce_sampler(const Trainer& trainer) const {
  if (trainer.repeated_rows() == 0) return;
  const std::int64_t rows = rows_of_epoch(trainer.options());
  log_.add(OutputLine::Kind::text,
           fmt::format("{} rows on {} devices: {} each, {} repeated by the sampler",
                       text_with_commas(rows), trainer.machine().world(), trainer.rows_per_core(),
                       trainer.repeated_rows()),
           "sampler",
           {{"rows", rows},
            {"rows_per_core", trainer.rows_per_core()},
            {"repeated", trainer.repeated_rows()}});
}

void Run::announce_timed(const TimedTraining& timed) const {
  const std::int64_t planned = timed.loop().planned_steps();
  const bool usual = settings_.max_steps <= 0 && planned == usual_steps;
  const PublishedData* data = published_data(settings_);
  log_.add(OutputLine::Kind::text,
           fmt::format("{}: {}{}, {}{}{}",
                       computes_one_device() ? "computed on one device" : "time only",
                       planned > 0 ? count_with(planned, "step") : "steps without end",
                       data != nullptr ? fmt::format(" on rows of {}", data->name) : "",
                       division_text(settings_, text_of(timed.mesh())),
                       usual ? "; max_steps sets another number" : "",
                       settings_.pace == "max" ? "; pace watch shows them one by one" : ""),
           "time_only",
           {{"mesh", text_of(timed.mesh())}, {"remat", settings_.remat}, {"steps", planned}});
}

void Run::tell_restart(const StepReport& report) {
  if (report.timeline.kind != StepKind::restart) return;
  const Event& event = *report.timeline.events.front().event;
  log_.add(OutputLine::Kind::warning, fmt::format("step {}: {}", report.timeline.step, event.cause),
           "restart",
           {{"step", report.timeline.step}, {"lost_steps", event.count}, {"host", event.name}});
}

void Run::tell_compiles(const StepReport& report) {
  for (const TimedEvent& timed : report.timeline.events) {
    if (timed.event->kind != EventKind::compile) continue;
    const Picoseconds time = timed.compile();
    log_.add(OutputLine::Kind::warning,
             fmt::format("step {}: {} {} ({}): {}", report.timeline.step,
                         timed.event->from_disk ? "load" : "compile", timed.event->name,
                         text_of(time), timed.event->cause),
             timed.event->from_disk ? "load" : "compile",
             {{"step", report.timeline.step},
              {"graph", timed.event->name},
              {"cause", timed.event->cause},
              {"nodes", timed.event->count},
              {"tpu_seconds", in_seconds(time)}});
  }
}

// Each op once; the counts are in the fallback table.
void Run::tell_fallbacks(const StepReport& report) {
  for (const TimedEvent& timed : report.timeline.events) {
    if (timed.event->kind != EventKind::host_op) continue;
    const std::string& op = timed.event->name;
    if (std::ranges::find(told_, op) != told_.end()) continue;
    told_.push_back(op);
    log_.add(
        OutputLine::Kind::warning,
        fmt::format(
            "step {}: {} is not lowered for the TPU: each call waits for the device, downloads "
            "({}), runs on the CPU ({}) and uploads ({})",
            report.timeline.step, op, text_of(timed.download), text_of(timed.cpu),
            text_of(timed.upload)),
        "fallback",
        {{"step", report.timeline.step},
         {"op", op},
         {"download_seconds", in_seconds(timed.download)},
         {"cpu_seconds", in_seconds(timed.cpu)},
         {"upload_seconds", in_seconds(timed.upload)}});
  }
}

// Once, and only where it matters.
void Run::tell_slow_part() {
  if (told_slow_ || slow_.empty()) return;
  told_slow_ = steps_.groups().size() > 1 ? tell_slow_devices() : tell_slow_link();
}

bool Run::tell_slow_link() const {
  const Straggler* link = slowest_link(steps_.machine());
  if (link == nullptr || slow_.hidden) return false;
  log_.add(OutputLine::Kind::warning,
           fmt::format("step {}: {}: all exchange {} longer in each step; `help straggler`",
                       steps_.step(), slow_.text, text_of(slow_.costs)),
           "straggler",
           {{"step", steps_.step()},
            {"chip", std::int64_t{link->index}},
            {"wait_seconds", in_seconds(slow_.costs)}});
  return true;
}

// Those that all others wait for in collectives.
bool Run::tell_slow_devices() const {
  const std::vector<DeviceGroup>& groups = steps_.groups();
  std::size_t slow = 0;
  Picoseconds longest{};
  for (std::size_t group = 0; group < groups.size(); ++group) {
    if (meter_.steady().wait(group) < meter_.steady().wait(slow)) slow = group;
    longest = std::max(longest, meter_.steady().wait(group));
  }
  if (in_seconds(longest) <= least_wait * in_seconds(meter_.steady().step_time())) return false;
  const std::vector<int>& devices = groups[slow].devices;
  const Slice& slice = steps_.machine().slice;
  const bool host = std::ssize(devices) == slice.devices_per_host() && devices.size() > 1;
  const std::string who =
      host ? fmt::format("host {} is", devices.front() / slice.devices_per_host())
      : devices.size() == 1
          ? fmt::format("{} {} is", slice.device_word(), devices.front())
          : fmt::format("{} {}s from {} are", devices.size(), slice.device_word(), devices.front());
  log_.add(OutputLine::Kind::warning,
           fmt::format("step {}: {} slow: the others wait {} of a step so far; `help straggler`",
                       steps_.step(), who, text_of(longest)),
           "straggler",
           {{"step", steps_.step()},
            {"device", std::int64_t{devices.front()}},
            {"devices", std::ssize(devices)},
            {"wait_seconds", in_seconds(longest)}});
  return true;
}

// A run that goes on from a checkpoint has no loss before its first step.
void Run::tell_epoch(const StepReport& report) const {
  const std::int64_t epoch = steps_.epoch();
  const double loss = meter_.newest_loss();
  const std::string trained = std::isnan(loss) ? "" : fmt::format("loss {:.4f}  ", loss);
  const std::string reached =
      settings_.numbers ? fmt::format("{}test accuracy {:.3f}", trained, *report.test_accuracy)
                        : "no numbers";
  log_.add(OutputLine::Kind::text,
           fmt::format("epoch {}{}  step {}  {}  TPU time {} (est.)", epoch,
                       epochs_of(settings_) > 0 ? fmt::format("/{}", epochs_of(settings_)) : "",
                       steps_.step(), reached, text_of(tpu_time())),
           "epoch",
           {{"epoch", epoch},
            {"step", steps_.step()},
            {"loss", loss},
            {"test_accuracy", *report.test_accuracy},
            {"tpu_seconds", in_seconds(tpu_time())},
            {"wall_seconds", elapsed().count()}});
}

}  // namespace tpulab
