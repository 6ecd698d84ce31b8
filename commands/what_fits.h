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

// With what would divide, where that is found.
std::string refusal_of_line(const DoesNotDivide& refusal, std::string_view verb,
                            const Settings& settings, std::span<const Assignment> typed);

// What `question` answers of `settings` with what is typed, or its refusal in the form of that
// line.
template <class Question>
auto asked_in_line(std::string_view verb, const Settings& settings,
                   std::span<const Assignment> typed, const Question& question) {
  try {
    return question();
  } catch (const DoesNotFit& refusal) {
    throw Impossible(refusal_of_line(refusal, verb, typed));
  } catch (const DoesNotDivide& refusal) {
    throw Impossible(refusal_of_line(refusal, verb, settings, typed));
  }
}

}  // namespace tpulab
