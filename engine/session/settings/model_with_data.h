// A model and data that fit each other, where a change of one alone does not.
#pragma once

#include <span>

#include "engine/session/settings/settings.h"

namespace tpulab {

// check_settings() of what `assignments` make of the settings before. Where a model and data do not
// fit, the error ends with a change of both that was tried, as it is typed: one alone may be
// refused for the other's sake. Throws Error.
void check_together(const Settings& before, const Settings& changed,
                    std::span<const Assignment> assignments);

}  // namespace tpulab
