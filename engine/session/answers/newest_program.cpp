#include "engine/session/answers/newest_program.h"

#include <fmt/format.h>

#include "engine/session/answers/price_rows.h"

namespace tpulab {

void NewestProgram::note(std::int64_t number, const Run& run) {
  const std::shared_ptr<const Program> program = newest_train_program(run.steps().records());
  const std::lock_guard lock(mutex_);
  if (newest_.run != number) newest_ = {.program = {}, .machine = {}, .title = {}, .run = number};
  if (program == nullptr || newest_.program == program) return;
  const RunView view = run.view();
  newest_.program = program;
  newest_.machine = run.steps().machine();
  newest_.title =
      fmt::format("train step of run {}, {} on {}", view.number, view.model, view.machine);
  ++count_;
}

std::int64_t NewestProgram::count() const {
  const std::lock_guard lock(mutex_);
  return count_;
}

std::optional<PricedProgram> NewestProgram::priced() const {
  Noted newest;
  {
    const std::lock_guard lock(mutex_);
    newest = newest_;
  }
  if (newest.program == nullptr) return std::nullopt;
  return priced_program(*newest.program, *newest.machine, newest.title);
}

}  // namespace tpulab
