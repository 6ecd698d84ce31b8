#include "engine/session/answers/newest_program.h"

#include <fmt/format.h>

#include "engine/session/answers/price_rows.h"

namespace tpulab {

void NewestProgram::note(std::int64_t number, const Run& run) {
  const std::shared_ptr<const Program> program = newest_train_program(run.steps().records());
  if (program == nullptr || (newest_.program == program && newest_.run == number)) return;
  const RunView view = run.view();
  const std::string title =
      fmt::format("train step of run {}, {} on {}", view.number, view.model, view.machine);
  const std::lock_guard lock(mutex_);
  newest_ = {program, run.steps().machine(), title, number};
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
