// A letter typed while the panes have the focus: a key, or the first one of a word for the prompt?
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "tui/terminal/events.h"

namespace tpulab {

class Letters {
 public:
  using Time = Events::Clock::time_point;
  // Whether some command or setting begins with it.
  using BeginsWord = std::function<bool(std::string_view)>;

  explicit Letters(BeginsWord begins_word) : begins_word_(std::move(begins_word)) {}

  // What became certain: keys that act, in turn, then what is typed at the prompt, if anything.
  struct Meaning {
    std::string keys;
    std::string word;
    bool takes_back = false;  // the last key that acted was the word's first letter
  };
  // `is_key`: it means something here. `waits`: what it does cannot be taken back, so it acts only
  // when no word comes of it.
  Meaning press(char letter, bool is_key, bool waits, Time at);
  // The letter that waited long enough.
  Meaning passed(Time at);
  std::optional<Time> deadline() const;

 private:
  BeginsWord begins_word_;
  std::string waiting_;
  std::string acted_;  // the newest, while it may still begin a word
  Time since_{};
};

}  // namespace tpulab
