// Bad input in quantity: mutations of valid texts, the same for every run with the same seed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/training/random.h"

namespace tpulab::fuzz {

using Texts = std::vector<std::string>;

// Valid texts of a format, and the words that are worth putting into them.
struct Corpus {
  Texts seeds;
  Texts words;
};

// Texts of a corpus with bits flipped, parts cut, repeated, swapped and spliced, numbers at their
// limits, control bytes and broken UTF-8.
class Mutator {
 public:
  Mutator(Corpus corpus, std::uint64_t seed) : corpus_(std::move(corpus)), random_(seed) {}

  std::string next();
  Random& random() { return random_; }

 private:
  const std::string& pick(const Texts& from) { return from[random_.below(from.size())]; }
  std::size_t place_in(const std::string& text) { return random_.below(text.size() + 1); }
  void mutate(std::string& text);
  void change_byte(std::string& text);
  void change_order(std::string& text);
  void change_number(std::string& text);
  void insert(std::string& text);
  void repeat(std::string& text);

  Corpus corpus_;
  Random random_;
};

// How many inputs the ordinary suite tries; the Slow suites try them for TPULAB_FUZZ_SECONDS
// (30 if it is not set), from another seed.
struct Effort {
  std::int64_t inputs = 0;
  bool slow = false;
};

// Feeds mutated texts to `accepts`, which states what must hold with gtest's EXPECT. Stops at the
// first input that fails and prints it, escaped.
void expect_holds(const Corpus& corpus, Effort effort,
                  const std::function<void(const std::string& input, Random& random)>& accepts);

bool is_utf8(std::string_view text);
// One line that a terminal shows as it is: valid UTF-8 without control characters.
bool is_printable_line(std::string_view text);

}  // namespace tpulab::fuzz
