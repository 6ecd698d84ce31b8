// Two metrics reports name by name.
#pragma once

#include <string>

#include "commands/answer.h"
#include "engine/session/answers/analyse.h"

namespace tpulab {

// What either of them has: how often, how much in all, and the change of what one takes.
Answer compare_reports(const std::string& first_name, const MetricsReport& first,
                       const std::string& second_name, const MetricsReport& second);

}  // namespace tpulab
