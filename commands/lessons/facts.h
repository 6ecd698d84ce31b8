// What commands and the engine said, by name: the fields that scripts get as JSON, and nothing
// else. So a lesson speaks of the figures that the program prints.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "commands/command.h"
#include "commands/lessons/value.h"

namespace tpulab {

// Which of several rows: "step[devices=1]", or "step[2]" for the second that has it.
struct FactChoice {
  std::string key;  // empty: by number
  std::string value;
  int number = 0;  // from 1; 0: the newest
};

class Facts {
 public:
  void clear() { groups_.clear(); }
  void add(const OutputLine& line);
  void add(const Reply& reply);

  // None if nothing said it. `name` is a field's, or a short word for some: step, rate, duty,
  // useful, compiles, run_time (of a whole run: compiles and epochs name their times alike),
  // accuracy.
  std::optional<LessonValue> find(std::string_view name, const FactChoice& choice = {}) const;

 private:
  struct Group {
    std::string event;
    std::vector<EventField> fields;
  };
  std::optional<LessonValue> find_field(std::string_view name, std::string_view event,
                                        const FactChoice& choice) const;

  std::vector<Group> groups_;  // oldest first
};

}  // namespace tpulab
