// What single letters do while the panes have the focus. Those that end a run must come twice.
#pragma once

#include <string>
#include <string_view>

namespace tpulab {

enum class PanesAction { nothing, pause, step, run, stop, help, quit, leave_panes };

// The row of keys above the prompt.
inline constexpr std::string_view panes_note =
    "panes: p pause s step r run x stop | e each m map z zoom j/k scroll | ? help q quit : prompt";

class PanesKeys {
 public:
  PanesAction press(std::string_view key, bool run_is_active);
  // Asked by the last key, or empty: "a run is under way: q again ...".
  const std::string& question() const { return question_; }
  void forget();  // the answer was another key

 private:
  std::string asked_;  // the letter
  std::string question_;
};

}  // namespace tpulab
