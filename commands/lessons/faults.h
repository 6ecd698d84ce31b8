// Settings that a lesson changes without a word, until it mends them.
#pragma once

#include <string>
#include <vector>

#include "engine/session/settings/settings.h"

namespace tpulab {

class LessonFaults {
 public:
  // `typed` as "straggler core:5:1.4". Throws Error as change().
  void set(Settings& settings, const std::string& typed);
  // Puts the values back that were there before, and says which were not.
  std::vector<std::string> mend(Settings& settings);
  std::vector<std::string> names() const;

 private:
  std::vector<Assignment> before_;
};

}  // namespace tpulab
