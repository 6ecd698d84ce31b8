// What a class has played: each learner writes a file, a teacher reads thirty of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tpulab {

struct LearnerResult {
  std::string learner;
  std::string lesson;
  std::string played;  // "finished", "step 5 of 12"
  int asked = 0;
  int right = 0;
  int hints = 0;
};

// What is kept of the lessons that were played here, under this name.
std::vector<LearnerResult> own_results(const std::string& learner);
// A JSON object a line.
std::string results_text(const std::vector<LearnerResult>& results);
// Throws Error "FILE:LINE: ..." for what is no such line.
std::vector<LearnerResult> parse_results(std::string_view text, const std::string& file);

}  // namespace tpulab
