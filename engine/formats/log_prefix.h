// What a log puts before each line: the time, who says it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tpulab {

// Whether there is a metric or a counter of a metrics report in it.
bool has_report(std::string_view text);

class LogPrefix {
 public:
  // That of the first worker whose metrics report `text` has; none where its lines stand alone.
  explicit LogPrefix(std::string_view text);
  // The line without it; none for a line of somebody else. Its times may be others.
  std::optional<std::string_view> behind(std::string_view line) const;

 private:
  std::string prefix_;
};

}  // namespace tpulab
