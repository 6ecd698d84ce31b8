// What does not fit, asked in one line: what would fit is told as such a line, to type instead.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/base/error.h"
#include "engine/session/settings/memory_check.h"

namespace tpulab {

// "forecast model=resnet50 batch=128"
std::string typed_line(std::string_view verb, std::span<const Assignment> typed);

// As `refusal` says it to a prompt where nothing is typed behind the verb.
std::string refusal_of_line(const DoesNotFit& refusal, std::string_view verb,
                            std::span<const Assignment> typed);

// What `question` answers, or its refusal in the form of the line that asks.
template <class Question>
auto asked_in_line(std::string_view verb, std::span<const Assignment> typed,
                   const Question& question) {
  try {
    return question();
  } catch (const DoesNotFit& refusal) {
    throw Impossible(refusal_of_line(refusal, verb, typed));
  }
}

}  // namespace tpulab
