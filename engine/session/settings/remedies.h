// What would make a step fit that does not: changes of settings, each tried before it is named.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/session/settings/settings.h"

namespace tpulab {

// Whether a step with these settings fits HBM. Asked only of settings that go together.
using Fits = std::function<bool(const Settings&)>;

// Changes that are needed together, without what is so already: {batch 11}, {remat full, batch 2}.
using WayToFit = std::vector<Assignment>;

// Alone where one change is enough, else together with others; empty if nothing that is tried fits.
// Rows beyond `most_rows` on a device are not in the data.
std::vector<WayToFit> remedies(const Settings& settings, std::int64_t most_rows, const Fits& fits);

// A line of what else a way changes, behind a line break; empty if none does.
std::string note_on(const std::vector<WayToFit>& ways);

}  // namespace tpulab
