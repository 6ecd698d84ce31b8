#include "commands/lessons/figures.h"

#include "commands/answer.h"
#include "commands/ask.h"
#include "commands/newest_answer.h"

namespace tpulab {

void LessonFigures::begin_command(CommandContext& context) {
  said_.clear();
  newest_ = newest_line(context.engine);
  if (context.answer) context.answer->keep({});
}

void LessonFigures::add_news(const CommandContext& context) {
  for (const OutputLine& line : context.engine.output_since(newest_)) {
    newest_ = line.id;
    if (line.event != answer_event) said_.add(line);
  }
  if (context.answer) said_.add(reply_of(context.answer->copy()));  // in a script's order
}

void LessonFigures::keep(const std::string& name, const Expression& value) {
  kept_[name] = value_of(value, scope());
}

FigureScope LessonFigures::scope() const {
  return [this](const std::string& name, const FactChoice& choice) -> std::optional<LessonValue> {
    const auto kept = kept_.find(name);
    if (kept != kept_.end()) return kept->second;
    return said_.find(name, choice);
  };
}

}  // namespace tpulab
