// A lesson, or the newest run, as a page with a separate page of answers.
#pragma once

#include "commands/handouts/document.h"
#include "commands/lessons/alone.h"
#include "engine/session/engine.h"

namespace tpulab {

struct Handout {
  Document page;
  Document key;
};

// Of a lesson that was played: its texts, commands with what they answered, figures, questions
// without their answers.
Handout handout_of(const Lesson& lesson, const PlayedLesson& played);

// Of the newest run that has ended: its summary, where its time went, and questions on both. Throws
// Error before one.
Handout handout_of_run(const Engine& engine, const Settings& defaults);

}  // namespace tpulab
