#include "engine/session/answers/aside.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace tpulab {

namespace {

OutputLine line_of(OutputLine::Kind kind, std::string text, std::string event) {
  OutputLine line;
  line.kind = kind;
  line.text = std::move(text);
  line.event = std::move(event);
  return line;
}

std::vector<OutputLine> answer_to(const Question& question, const std::stop_token& stop) {
  std::vector<OutputLine> lines;
  try {
    lines = question(stop);
  } catch (const std::exception& error) {
    lines = {line_of(OutputLine::Kind::error, error.what(), "failure")};
  }
  if (!stop.stop_requested()) return lines;
  return {line_of(OutputLine::Kind::warning, "the answer was cancelled", "cancelled")};
}

}  // namespace

bool Aside::ask(Question question, Tell tell) {
  if (busy_.exchange(true)) return false;
  thread_ = std::jthread(
      [this, question = std::move(question), tell = std::move(tell)](const std::stop_token& stop) {
        std::vector<OutputLine> lines = answer_to(question, stop);
        failed_ = stop.stop_requested() || std::ranges::any_of(lines, [](const OutputLine& line) {
                    return line.kind == OutputLine::Kind::error;
                  });
        tell(std::move(lines));
        busy_ = false;
      });
  return true;
}

bool Aside::cancel() { return busy_ && thread_.request_stop(); }

}  // namespace tpulab
