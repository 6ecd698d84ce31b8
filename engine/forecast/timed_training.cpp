#include "engine/forecast/timed_training.h"

#include <algorithm>
#include <utility>

#include "engine/base/error.h"
#include "engine/compiler/compile_cause.h"
#include "engine/forecast/memory.h"
#include "engine/forecast/step_program.h"

namespace tpulab {

namespace {

constexpr Bytes scalar_bytes{4};
constexpr std::ptrdiff_t kept_records = 65'536;

bool forward_only(const StepKernel& step) {
  return step.pass == Pass::forward || step.pass == Pass::gather || step.pass == Pass::exchange;
}

// What loss.item() needs of a step: kernels before the first backward one.
PricedStep up_to_the_loss(const PricedStep& whole) {
  PricedStep part = whole;
  const auto end = std::ranges::find_if_not(part.kernels, forward_only);
  part.kernels.erase(end, part.kernels.end());
  return part;
}

Event read_back() {
  return {
      .kind = EventKind::read_back, .received = scalar_bytes, .name = "aten::_local_scalar_dense"};
}

}  // namespace

TimedTraining::TimedTraining(Machine machine, ProgramCache& cache, Metrics& metrics,
                             TimedOptions options)
    : cache_(cache),
      metrics_(metrics),
      simulator_(std::move(machine)),
      options_(std::move(options)),
      step_now_(checked_step(options_)) {
  make_programs();
}

std::shared_ptr<const Program> TimedTraining::made_program(const PricedStep& step) const {
  return std::make_shared<const Program>(step_program(step, machine()));
}

void TimedTraining::make_programs() {
  whole_ = made_program(step_now_);
  up_to_loss_.reset();
}

PricedStep TimedTraining::checked_step(const TimedOptions& options) const {
  PricedStep step = priced_step(options.request, machine());
  const std::string failure = out_of_memory_text(memory_of(step, machine().slice), step.work);
  if (!failure.empty()) throw Impossible(failure);
  return step;
}

void TimedTraining::change(const TimedOptions& options) {
  step_now_ = checked_step(options);
  options_ = options;
  make_programs();
}

std::int64_t TimedTraining::planned_steps() const {
  return options_.max_steps > 0 ? options_.max_steps : usual_steps;
}

Bytes TimedTraining::hbm_used() const { return memory_of(step_now_, machine().slice).total(); }

void TimedTraining::add_program(std::vector<Event>& events,
                                const std::shared_ptr<const Program>& made,
                                const std::string& name) {
  const std::int64_t nodes = step_now_.work.traced_ops;
  std::shared_ptr<const Program> program = cache_.find(made->fingerprint.key);
  if (program != nullptr) {
    metrics_.count("CachedCompile");
  } else {
    program = made;
    const CompileCause cause = compile_cause(cache_, program->fingerprint, "");
    cache_.insert(program);
    notices_.push_back({name, cause.brief, static_cast<int>(nodes)});
    events.push_back({.kind = EventKind::compile,
                      .count = nodes,
                      .program = program,
                      .name = name,
                      .cause = cause.brief,
                      .differences = cause.all});
  }
  events.push_back(
      {.kind = EventKind::dispatch, .count = nodes, .program = std::move(program), .name = name});
}

// As the trainer's step: a batch, the trace, a read inside it if one is asked for, the cut.
std::vector<Event> TimedTraining::events_of_step() {
  const std::int64_t rows = step_now_.request.batch / machine().world();
  std::vector<Event> events;
  if (!step_now_.parts.alone) events.push_back({.kind = EventKind::python});
  if (step_now_.work.batch.value > 0) {
    events.push_back({.kind = EventKind::next_batch,
                      .count = rows,
                      .loaders = loaders_of(machine()),
                      .sent = over_host_link(step_now_.work)});
  }
  events.push_back({.kind = EventKind::trace, .count = step_now_.work.traced_ops});
  const std::int64_t every = options_.item_every_n_steps;
  if (every > 0 && (step_ + 1) % every == 0) {
    if (up_to_loss_ == nullptr) up_to_loss_ = made_program(up_to_the_loss(step_now_));
    add_program(events, up_to_loss_, "loss.item()");
    events.push_back(read_back());
  }
  add_program(events, whole_, "train step");
  events.push_back({.kind = EventKind::mark_step});
  const std::int64_t log = options_.log_every_n_steps;
  if (log > 0 && (step_ + 1) % log == 0) events.push_back(read_back());
  if (options_.progress_bar) events.insert(events.end(), progress_bar_reads, read_back());
  return events;
}

StepReport TimedTraining::advance() {
  auto shared = recent_events_.shared(events_of_step());
  if (std::ssize(records_) == 2 * kept_records) {
    records_.erase(records_.begin(), records_.begin() + kept_records);
  }
  records_.push_back({StepKind::train, step_, step_now_.request.batch, std::move(shared)});
  StepReport report;
  report.timeline = simulator_.step(records_.back());
  report.optimizer_step = true;
  report.compiles = std::exchange(notices_, {});
  count_step(report.timeline, metrics_);
  ++step_;
  return report;
}

}  // namespace tpulab
