// Advice in lines for people and rows for scripts.
#pragma once

#include <string>

#include "commands/answer.h"
#include "engine/session/answers/advise.h"

namespace tpulab {

// "batch 128; progress_bar off".
std::string typed(const std::vector<Assignment>& changes);
// "+33 % samples/s steady (31.2k -> 41.5k), +12 % with compile".
std::string words_of(const Gain& gain, const Trial& now, const Trial& then);
// Another framework computes the same, another batch or precision does not.
bool changes_results(const Remedy& remedy);
Answer answer_of(const Advice& advice);

}  // namespace tpulab
