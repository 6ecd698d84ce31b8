// The file of typed commands: $XDG_STATE_HOME/tpulab/history, one line each, newest last.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tpulab {

class History {
 public:
  static constexpr std::size_t kept_lines = 1000;

  explicit History(std::filesystem::path file) : file_(std::move(file)) {}

  // The newest lines of earlier sessions, oldest first; empty if there is no readable file.
  std::vector<std::string> load();
  // Appends at once, so that sessions side by side both keep theirs. A line equal to the one before
  // is not repeated. Answers what went wrong, the first time only; history is then off.
  std::optional<std::string> append(std::string_view line);
  // Appends nothing from now on.
  void turn_off() { off_ = true; }

 private:
  std::optional<std::string> give_up(int error_number);
  void rewrite(const std::vector<std::string>& lines) const;

  std::filesystem::path file_;
  std::string newest_;
  bool off_ = false;
};

// $XDG_STATE_HOME/tpulab/history, else ~/.local/state/tpulab/history; empty without a home.
std::filesystem::path history_path();

}  // namespace tpulab
