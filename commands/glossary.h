// The words that the program prints: what they are, their formulas, and what they are now.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/session/settings/settings.h"
#include "engine/session/snapshot.h"

namespace tpulab {

struct GlossaryWord {
  std::string name;
  std::vector<std::string> others;  // that mean it: "busy", "duty_cycle"
  std::string text;
  std::string formula;  // may be empty
  std::string now;      // what its live figure is called; may be empty
  std::string lesson;   // may be empty
};

// From commands/glossary/*.words; parsed once.
const std::vector<GlossaryWord>& glossary();

// As it is typed or printed: capitals, `_` and quotes make no difference. Null if there is none.
const GlossaryWord* find_word(std::string_view typed);

// Its page: text, formula, lesson; lines of at most 78 columns.
std::vector<std::string> page_of(const GlossaryWord& word);

// "now 7.9 %" of the newest run or the settings; empty where nothing is known yet.
std::string live_figure(const GlossaryWord& word, const Snapshot& now, const Settings& settings);

}  // namespace tpulab
