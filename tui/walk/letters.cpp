#include "tui/walk/letters.h"

#include <utility>

namespace tpulab {
namespace {

constexpr auto between_letters = std::chrono::milliseconds(300);  // of somebody who types
constexpr auto of_one_word = std::chrono::seconds(1);

}  // namespace

Letters::Meaning Letters::press(char letter, bool is_key, bool waits, Time at) {
  const bool soon = at - since_ < of_one_word;
  const std::string before = !waiting_.empty() ? waiting_ : soon ? acted_ : std::string();
  const std::string typed = before + letter;
  since_ = at;
  if (!before.empty() && begins_word_(typed)) {
    const bool acted = waiting_.empty();
    waiting_.clear();
    acted_.clear();
    return {.keys = "", .word = typed, .takes_back = acted};
  }
  Meaning meaning{.keys = std::exchange(waiting_, {}), .word = {}};
  acted_.clear();
  if (!is_key) {
    if (begins_word_(std::string(1, letter))) meaning.word = letter;
  } else if (waits) {
    waiting_ = letter;
  } else {
    meaning.keys += letter;
    acted_ = letter;
  }
  return meaning;
}

Letters::Meaning Letters::passed(Time at) {
  const auto until = deadline();
  if (!until || at < *until) return {};
  acted_ = waiting_;
  return {.keys = std::exchange(waiting_, {}), .word = {}};
}

std::optional<Letters::Time> Letters::deadline() const {
  if (waiting_.empty()) return std::nullopt;
  return since_ + between_letters;
}

}  // namespace tpulab
