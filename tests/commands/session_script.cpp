#include "tests/commands/session_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "engine/base/text.h"

namespace tpulab {

namespace {

class Player {
 public:
  explicit Player(CommandContext& context) : context_(context) {}

  void take(std::string_view line, int number) {
    const std::string_view rest = trimmed(line.substr(std::min<std::size_t>(1, line.size())));
    if (line.starts_with('>')) {
      end_command();
      type(rest, number);
    } else if (line.starts_with('?') || line.starts_with('!')) {
      expect(rest, number);
      failure_expected_ |= line.starts_with('!');
    } else if (!trimmed(line).empty() && !line.starts_with('#')) {
      complaints_.push_back(fmt::format("line {}: neither #, >, ? nor !", number));
    }
  }

  std::vector<std::string> end() {
    end_command();
    return std::move(complaints_);
  }

 private:
  void type(std::string_view line, int number) {
    typed_at_ = number;
    answers_.clear();
    next_ = 0;
    failure_expected_ = false;
    const Reply reply = run_line(line, context_);
    failed_ = reply.failed;
    for (const OutputLine& said : context_.engine.output_since(newest_)) {
      newest_ = said.id;
      answers_.push_back(said.text);
    }
    answers_.insert(answers_.end(), reply.lines.begin(), reply.lines.end());
  }

  void expect(std::string_view words, int number) {
    const bool regular = words.size() > 1 && words.starts_with('/') && words.ends_with('/');
    const std::regex pattern(regular ? std::string(words.substr(1, words.size() - 2))
                                     : std::string());
    for (std::size_t at = next_; at < answers_.size(); ++at) {
      const bool found = regular ? std::regex_search(answers_[at], pattern)
                                 : answers_[at].find(words) != std::string::npos;
      if (!found) continue;
      next_ = at + 1;
      return;
    }
    complaints_.push_back(fmt::format("line {}: '{}' is not in what line {} answers from there:{}",
                                      number, words, typed_at_, rest_of_answers()));
  }

  std::string rest_of_answers() const {
    std::string text;
    for (std::size_t at = next_; at < answers_.size(); ++at) text += "\n  " + answers_[at];
    return text;
  }

  void end_command() {
    if (failed_ == failure_expected_) return;
    next_ = 0;
    complaints_.push_back(fmt::format("line {}: the line {}:{}", typed_at_,
                                      failed_ ? "failed" : "did not fail", rest_of_answers()));
    failed_ = failure_expected_;
  }

  CommandContext& context_;
  std::vector<std::string> complaints_;
  std::vector<std::string> answers_;
  std::size_t next_ = 0;
  std::int64_t newest_ = 0;
  int typed_at_ = 0;
  bool failed_ = false;
  bool failure_expected_ = false;
};

}  // namespace

std::vector<std::string> play(std::string_view script, CommandContext& context) {
  Player player(context);
  int number = 0;
  for (const std::string& line : split(script, '\n')) player.take(line, ++number);
  return player.end();
}

}  // namespace tpulab
