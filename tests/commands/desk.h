// An engine with settings, for tests: typed lines in, lines out. The network is small by default.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "commands/command.h"

namespace tpulab {

inline Settings small_settings() {
  Settings settings;
  settings.hidden = {16};
  settings.max_steps = 12;
  settings.workers = 1;
  return settings;
}

class Desk {
 public:
  // Runs are kept in `runs_file`; nowhere if it is empty.
  explicit Desk(const Settings& start = small_settings(), std::filesystem::path runs_file = {})
      : engine(std::move(runs_file)), settings(start) {}

  Reply type(std::string_view line) { return run_line(line, context); }

  // The reply's lines, joined.
  std::string answer(std::string_view line) {
    std::string text;
    for (const std::string& part : type(line).lines) text += (text.empty() ? "" : "\n") + part;
    return text;
  }

  // What the engine has said since the last call.
  std::vector<std::string> news() {
    std::vector<std::string> lines;
    for (const OutputLine& line : engine.output_since(newest_)) {
      newest_ = line.id;
      lines.push_back(line.text);
    }
    return lines;
  }

  Engine engine;
  Settings settings;
  CommandContext context{.engine = engine, .settings = settings};

 private:
  std::int64_t newest_ = 0;
};

}  // namespace tpulab
