#include "engine/session/snapshot.h"

#include <fmt/format.h>

#include <array>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace tpulab {

std::string_view name_of(RunState state) {
  static constexpr std::array<std::string_view, 6> names{"no run",   "training", "paused",
                                                         "finished", "stopped",  "failed"};
  const auto row = static_cast<std::size_t>(state);
  expects(row < names.size(), "a run state is one of the enum");
  return names[row];
}

std::string Binding::brief() const {
  return saves > 0 ? fmt::format("{}, saves {}", name, text_of_share(saves)) : name;
}

std::string SlowPart::hidden_text(const Binding& bound) const {
  if (empty() || !hidden || bound.empty() || bound.name == "compile") return {};
  return fmt::format("{}, hidden behind {}", text, bound.name);
}

std::string Binding::text() const {
  if (saves > 0) return brief() + " if free";
  return which.empty() ? name : name + ", " + which;
}

std::string CompileView::which() const {
  if (again > 0) return fmt::format("{} after the first", again);
  return compiled > 0 ? fmt::format("first {}", compiled) : "";
}

}  // namespace tpulab
