#include "commands/lessons/personal.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cctype>
#include <cstdint>
#include <span>

#include "commands/words.h"
#include "engine/base/error.h"
#include "engine/base/random_bits.h"
#include "engine/base/text.h"
#include "engine/base/utf8.h"

namespace tpulab {

namespace {

struct Fault {
  std::string_view setting;  // {} is a core
  std::string_view words;    // the right answer, and a wrong one of the others
  std::string_view check;    // what shows it, and no other fault of the part
};

struct Part {
  std::string_view run;
  std::span<const Fault> faults;
};

constexpr std::array<Fault, 4> of_hardware{{
    {"straggler core:{}:3",
     "one core is slower than the others, and they wait for it in the all-reduce",
     "bound has \"stragglers\""},
    {"progress_bar on", "the host reads values behind every step, for a progress bar",
     "count[op=aten::_local_scalar_dense] >= 60"},
    {"host colab-node-2021", "batches come over a slow network: the host is not in the machine",
     "bound has \"host link\""},
    {"item_every_n_steps 1", "the script reads its loss in the middle of every step",
     "count[op=aten::_local_scalar_dense] == 30"},
}};

constexpr std::array<Fault, 3> of_script{{
    {"class_weights on", "the classes of each batch are counted on the CPU",
     "count[op=aten::bincount] == 30"},
    {"shapes random", "the shapes change from step to step, and each is compiled", "compiles > 10"},
    {"item_every_n_steps 1", "the script reads its loss in the middle of every step",
     "count[op=aten::_local_scalar_dense] >= 30"},
}};

const std::array<Part, 2> parts{{
    {"run model=resnet50 numbers=off max_steps=30 stack=jax", of_hardware},
    {"run max_steps=30 devices=1", of_script},
}};

// FNV-1a, so that a name means the same on every computer.
class DrawsOfName {
 public:
  explicit DrawsOfName(std::string_view name) {
    for (const char c : lowered(name)) state_.add(static_cast<unsigned char>(c));
  }
  std::size_t below(std::size_t count) {
    state_.add(0xff);
    return mixed(state_.value) % count;  // as FNV leaves a name's last letters in the low bits
  }

 private:
  Fnv state_;
};

std::string question(const Part& part, std::string_view which, DrawsOfName& draws) {
  constexpr std::size_t cores = 8;
  const std::size_t fault = draws.below(part.faults.size());
  const std::size_t core = draws.below(cores);
  const std::size_t first = draws.below(part.faults.size());
  std::string text = fmt::format(
      "fault   {}\n> {}\nchoose  What is wrong with the {} run? Any command may be typed first.\n",
      fmt::format(fmt::runtime(part.faults[fault].setting), core), part.run, which);
  for (std::size_t i = 0; i < part.faults.size(); ++i) {
    const std::size_t at = (first + i) % part.faults.size();
    text += fmt::format("{}{}\n", at == fault ? "right   " : "wrong   ", part.faults[at].words);
  }
  return text + fmt::format(
                    "hint    What does the bound say, and which operation is counted how often?\n"
                    "check   {}\nmend\n",
                    part.faults[fault].check);
}

void check_name(std::string_view learner) {
  constexpr std::size_t longest = 60;  // bytes
  if (!learner.empty() && learner.size() <= longest && printable(learner) == learner) return;
  throw Error("a learner has a name of 1 to 60 characters that can be printed");
}

}  // namespace

std::string learner_named(std::span<const std::string> words) {
  return std::string(unquoted(fmt::format("{}", fmt::join(words, " "))));
}

std::string personal_lesson_text(std::string_view learner) {
  check_name(learner);
  DrawsOfName draws(learner);
  std::string text = fmt::format(
      "title   The faults of {}\n"
      "about   two hidden faults that follow from a name\n"
      "hides   real faults come together, and change while one looks.\n"
      "say     Something is wrong with each of two runs. Look, then say what it is.\n",
      learner);
  text += question(parts[0], "first", draws);
  return text + question(parts[1], "second", draws);
}

Lesson personal_lesson(std::string_view learner) {
  std::string file(personal_lesson_name);
  for (const char c : learner) {
    const auto byte = static_cast<unsigned char>(c);
    const bool kept = byte >= 0x80 || std::isalnum(byte) != 0;
    file += kept ? static_cast<char>(std::tolower(byte)) : '-';
  }
  return parse_lesson(personal_lesson_text(learner), file + ".lesson");
}

}  // namespace tpulab
