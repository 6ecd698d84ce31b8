#include "engine/forecast/timed_training.h"

#include <algorithm>
#include <utility>

#include "engine/base/error.h"
#include "engine/compiler/compile_cause.h"
#include "engine/forecast/known_steps.h"
#include "engine/forecast/memory.h"
#include "engine/ops/ops.h"
#include "engine/runtime/batch_events.h"
#include "engine/runtime/made_program.h"
#include "engine/training/restart_event.h"

namespace tpulab {

namespace {

using Part = ProgramKind::Part;

constexpr Bytes scalar_bytes{4};
constexpr std::ptrdiff_t kept_records = 65'536;

}  // namespace

Event TimedTraining::read_back(Bytes received) {
  return {.kind = EventKind::read_back, .received = received, .name = "aten::_local_scalar_dense"};
}

TimedTraining::TimedTraining(Machine machine, ProgramCache& cache, Metrics& metrics,
                             TimedOptions options)
    : cache_(cache),
      metrics_(metrics),
      simulator_(std::move(machine), options.detail),
      options_(std::move(options)),
      programs_(known_programs(options_.request, this->machine())),
      loop_(options_.rows, plan_of(options_, *programs_),
            !as_lightning() || options_.rows.training == rows_without_end),
      loss_(options_.loss) {}

LoopPlan TimedTraining::plan_of(const TimedOptions& options, const TimedPrograms& programs) {
  LoopPlan plan = options.plan;
  plan.batch = programs.batch();
  return plan;
}

void TimedTraining::change(const TimedOptions& options) {
  TimedOptions changed = options;
  // What only a new run can change keeps its value: files may have been read again.
  changed.detail = options_.detail;
  changed.request.network = options_.request.network;
  if (changed.request.batch == options_.request.batch) {
    changed.request.given = options_.request.given;
  }
  auto programs = known_programs(changed.request, machine());
  loop_.change(plan_of(changed, *programs));
  programs_ = std::move(programs);
  options_ = std::move(changed);
}

ForecastMemory TimedTraining::memory() const {
  const ForecastMemory step = memory_of(step_now(), machine().slice);
  if (most_validated_ == 0) return step;
  const auto validation = memory_of_validation(step_now(), most_validated_, machine().slice);
  return validation.total() > step.total() ? validation : step;
}

void TimedTraining::add_program(Events& events, const ProgramKind& kind, const std::string& name) {
  const std::shared_ptr<const Program> made = programs_->of(kind, machine());
  std::shared_ptr<const Program> program = cache_.find(made->fingerprint.key);
  if (program != nullptr) {
    metrics_.count("CachedCompile");
  } else {
    program = made;
    const bool last = options_.habits.shapes == Shapes::fixed && kind.part != Part::length &&
                      kind.rows < programs_->batch();
    const CompileCause cause = options_.detail == Detail::times
                                   ? CompileCause()
                                   : compile_cause(cache_, *program, last ? "last batch" : "");
    events.push_back(made_program(program, name, cause, cache_, metrics_, machine()));
    notices_.push_back({name, events.back().cause, program->traced});
  }
  const std::int64_t nodes = program->traced;
  events.push_back(
      {.kind = EventKind::dispatch, .count = nodes, .program = std::move(program), .name = name});
}

TimedTraining::Events TimedTraining::begun() {
  constexpr std::size_t events_of_most_steps = 8;
  Events events = recent_events_.begun();
  events.reserve(events_of_most_steps);
  if (!step_now().parts.alone) events.push_back({.kind = EventKind::python});
  return events;
}

void TimedTraining::add_batch(Events& events, std::int64_t rows, std::int64_t tokens) {
  const StepWork& work = programs_->step_of(rows, tokens, machine()).work;
  if (work.batch.value == 0) return;
  std::ranges::move(batch_events(rows / machine().world(), over_host_link(work),
                                 loaders_of(machine()), machine()),
                    std::back_inserter(events));
}

// One loss for each row, or for each of its tokens.
void TimedTraining::add_fallback(Events& events, const ProgramKind& step) {
  add_program(events, {.part = Part::loss, .rows = step.rows, .tokens = step.tokens},
              "inputs of " + options_.habits.fallback_op);
  const std::int64_t own = std::max<std::int64_t>(step.rows / machine().world(), 1);
  const std::int64_t tokens = step.tokens > 0 ? step.tokens : step_now().work.tokens_per_row;
  const Type losses{{own * std::max<std::int64_t>(tokens, 1)}};
  const auto op = host_statistic(options_.habits.fallback_op);
  const std::span<const Type> inputs(&losses, 1);
  events.push_back(host_op_event(*op, inputs, op->infer(inputs)));
}

void TimedTraining::add_item(Events& events, const ProgramKind& step, const std::string& name) {
  add_program(events,
              {.part = Part::loss, .rows = step.rows, .tokens = step.tokens, .turns = step.turns},
              name);
  events.push_back(read_back(scalar_bytes));
}

// As the trainer's step: batches and their traces, a read inside of each if one is asked for, the
// cut. With several devices the loader cuts between batches, so that their gradients are held.
TimedTraining::Events TimedTraining::events_of_step(std::int64_t rows) {
  const StepWork& work = step_now().work;
  const bool reads = options_.habits.item_inside(loop_.step());
  const bool falls_back = !options_.habits.fallback_op.empty() && as_lightning();
  ProgramKind kind;
  kind.turns = options_.habits.turns_in(loop_.step());
  kind.tokens = tokens_now();
  Events events = begun();
  const std::int64_t each_batch = work.traced_ops - work.update_ops + kind.turns * ops_of_a_turn;
  std::int64_t taken = 0;
  for (std::int64_t left = rows; left > 0; left -= taken) {
    taken = std::min(programs_->batch(), left);
    kind.rows = kept(taken);
    add_batch(events, kind.rows, kind.tokens);
    add_constant(events, kind.rows);
    const std::int64_t before_cut = reads || falls_back ? work.forward_ops + kind.turns : 0;
    if (before_cut > 0) events.push_back({.kind = EventKind::trace, .count = before_cut});
    if (falls_back) add_fallback(events, kind);
    if (reads) add_item(events, kind, "loss.item()");
    events.push_back({.kind = EventKind::trace, .count = each_batch - before_cut});
    count_calls({&StepCalls::forward, &StepCalls::backward});
    if (left == taken) break;
    if (refreshes_bar(rows - left + taken)) add_item(events, kind, "progress bar");
    if (!cuts_batches()) {
      ++kind.before;
      continue;
    }
    kind.part = Part::sums;
    add_program(events, kind, "accumulation");
    events.push_back({.kind = EventKind::mark_step});
    kind.held = true;
  }
  add_update(events, kind);
  if (refreshes_bar(rows)) events.insert(events.end(), progress_bar_reads, read_back(scalar_bytes));
  return events;
}

std::int64_t TimedTraining::kept(std::int64_t rows) const {
  const std::int64_t world = machine().world();
  // A mesh may share fewer rows than it has devices.
  if (options_.habits.shapes == Shapes::fixed || rows < world || lengths_vary()) return rows;
  return options_.habits.rows_kept(rows / world, loop_.step()) * world;
}

// As in the trainer: texts keep their number.
bool TimedTraining::lengths_vary() const {
  return options_.habits.shapes != Shapes::fixed && step_now().work.tokens_per_row > 0;
}

// Devices that share a row's tokens have equal parts of it.
std::int64_t TimedTraining::tokens_now() const {
  if (!lengths_vary()) return 0;
  const std::int64_t parts = step_now().mesh.context;
  const std::int64_t all = step_now().work.tokens_per_row;
  const std::int64_t tokens = options_.habits.rows_kept(all / parts, loop_.step()) * parts;
  return tokens == all ? 0 : tokens;
}

bool TimedTraining::refreshes_bar(std::int64_t rows) const {
  const Habits& habits = options_.habits;
  return habits.progress_bar && loop_.refreshes_bar(habits.progress_bar_every, rows);
}

// A weight for each row; the step's own program is taken to be the same.
void TimedTraining::add_constant(Events& events, std::int64_t rows) const {
  if (!options_.habits.cpu_constant || !as_lightning()) return;
  const std::int64_t own = rows / machine().world();
  events.push_back({.kind = EventKind::upload, .sent = {own * bytes_of(DType::f32)}});
}

void TimedTraining::add_update(Events& events, const ProgramKind& kind) {
  ProgramKind whole = kind;
  whole.part = Part::step;
  whole.state = has_state_ && as_lightning();
  whole.keeps = options_.habits.keeps_losses(loop_.step());
  if (step_now().work.update_ops > 0) {
    events.push_back({.kind = EventKind::trace, .count = step_now().work.update_ops});
  }
  count_calls({&StepCalls::update});
  add_program(events, whole, "train step");
  events.push_back({.kind = EventKind::mark_step});
  if (loop_.saves_in_step() && !step_now().parts.alone) add_checkpoint(events);
  if (options_.habits.logged_after(loop_.step())) events.push_back(read_back(scalar_bytes));
}

// Weights and optimizer state of each device.
void TimedTraining::add_checkpoint(Events& events) const {
  const ForecastMemory memory = memory_of(step_now(), machine().slice);
  events.push_back({.kind = EventKind::read_back,
                    .received = memory.weights + memory.optimizer_state,
                    .name = std::string(checkpoint_read)});
}

// Only where a report is read: whoever asks for shares alone asks thousands of times.
void TimedTraining::count_calls(std::initializer_list<CallsOf> parts) {
  const bool network = !step_now().parts.alone && step_now().request.given == nullptr;
  if (!network || !as_lightning() || options_.detail != Detail::kernels) return;
  const StepCalls& calls = programs_->calls(machine());
  for (const CallsOf part : parts) {
    for (const auto& [name, times] : calls.*part) metrics_.count(name, times);
  }
}

void TimedTraining::add_record(StepRecord record) {
  if (std::ssize(records_) == 2 * kept_records) {
    records_.erase(records_.begin(), records_.begin() + kept_records);
  }
  records_.push_back(std::move(record));
}

void TimedTraining::repeat(std::int64_t steps) {
  expects(!records_.empty(), "a step is repeated that was there");
  StepRecord record = records_.back();
  const std::int64_t first = loop_.step();
  for (std::int64_t i = std::max<std::int64_t>(0, steps - kept_records); i < steps; ++i) {
    record.step = first + i;
    add_record(record);
  }
  loop_.skip(steps);
}

StepTimeline TimedTraining::keep(StepKind kind, std::int64_t samples, Events events) {
  add_record({kind, loop_.step(), samples, recent_events_.shared(std::move(events)), process_});
  StepTimeline timeline = simulator_.step(records_.back());
  if (options_.detail != Detail::times) count_step(timeline, metrics_);
  return timeline;
}

void TimedTraining::train_step(StepReport& report) {
  const std::int64_t rows = loop_.rows_of_step();
  report.timeline = keep(StepKind::train, kept(rows), events_of_step(rows));
  report.optimizer_step = true;
  if (loss_) report.loss = loss_();
  const bool trains = !step_now().parts.alone && step_now().request.given == nullptr;
  has_state_ = trains && state_count({.kind = *step_now().request.optimizer}) > 0;
  loop_.stepped(rows);
}

void TimedTraining::restart(StepReport& report) {
  const std::int64_t saved = loop_.saved().step;
  cache_.lose();
  ++process_;
  report.timeline =
      keep(StepKind::restart, -samples_since(saved, records_), {restart_event(loop_)});
  has_state_ = has_state_ && saved > 0;
  loop_.restarted();
}

StepReport TimedTraining::advance() {
  loop_.check_epoch();
  StepReport report;
  if (loop_.restart_due()) {
    restart(report);
  } else if (loop_.sanity_check_due()) {
    check_sanity(report);
  } else {
    loop_.evaluation_due() ? evaluate(report) : train_step(report);
  }
  report.compiles = std::exchange(notices_, {});
  return report;
}

}  // namespace tpulab
