// The figures that a lesson may speak of: what its newest command said, and what it kept.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "commands/lessons/condition.h"
#include "commands/lessons/facts.h"

namespace tpulab {

class LessonFigures {
 public:
  // Forgets what was said before.
  void begin_command(CommandContext& context);
  void add(const Reply& reply) { said_.add(reply); }
  // What the engine has said since, and the newest answer beside the run.
  void add_news(const CommandContext& context);

  // Throws Error as value_of().
  void keep(const std::string& name, const Expression& value);
  FigureScope scope() const;

 private:
  Facts said_;
  std::map<std::string, LessonValue> kept_;
  std::int64_t newest_ = 0;
};

}  // namespace tpulab
