#include "engine/session/imported_models.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>

#include "engine/base/file.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

constexpr std::size_t largest_text = std::size_t{256} << 20;  // constants may be written in full

// One of each name; replays ask from their own threads.
class Known {
 public:
  std::shared_ptr<const ImportedStep> find(const std::string& name) {
    const std::lock_guard lock(mutex_);
    const auto found = steps_.find(name);
    return found == steps_.end() ? nullptr : found->second;
  }
  void keep(const std::string& name, std::shared_ptr<const ImportedStep> step) {
    constexpr std::size_t most = 64;
    const std::lock_guard lock(mutex_);
    if (steps_.size() >= most) steps_.erase(steps_.begin());
    steps_[name] = std::move(step);
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const ImportedStep>> steps_;
};

Known& known() {
  static Known all;
  return all;
}

std::shared_ptr<const ImportedStep> read(const std::string& name) {
  auto step =
      std::make_shared<const ImportedStep>(import_stablehlo(read_file(name, largest_text), name));
  known().keep(name, step);
  return step;
}

}  // namespace

bool names_file(std::string_view model) {
  constexpr std::array<std::string_view, 3> endings{".mlir", ".stablehlo", ".txt"};
  return std::ranges::any_of(endings, [&](std::string_view ending) {
    return model.size() > ending.size() && model.ends_with(ending);
  });
}

void read_model_file(const std::string& name) { read(name); }

std::shared_ptr<const ImportedStep> model_file(const std::string& name) {
  auto step = known().find(name);
  return step != nullptr ? step : read(name);
}

std::shared_ptr<const GivenStep> given_step(const std::string& name) {
  const auto step = model_file(name);
  return std::make_shared<const GivenStep>(
      GivenStep{step->work, step->state, std::max<std::int64_t>(step->rows, 1), step->exchanging});
}

std::string file_meaning(const std::string& name) {
  const auto step = model_file(name);
  const auto products = static_cast<double>(step->flops.value);
  std::string text =
      fmt::format("{} in {}, {} in matrix operations a step; {} of arguments come back changed",
                  count_with(step->operations, "operation"), count_with(step->kernels, "kernel"),
                  products > 0 ? text_of_count(products) : "none", text_of(step->state));
  if (step->devices > 1) text += fmt::format("; made for {} devices", step->devices);
  if (!step->notes.empty()) text += fmt::format("; {}", fmt::join(step->notes, ", "));
  return text + "; time only: `forecast` answers at once, `numbers off` lets it run";
}

std::string file_batch_text(const std::string& name, std::int64_t world) {
  const std::int64_t rows = model_file(name)->rows;
  if (rows == 0) return fmt::format("1 call on each of {} devices", world);
  return fmt::format("{} x {} = {} global", rows, world, rows * world);
}

}  // namespace tpulab
