// What would make a step fit that does not: changes of settings, each tried before it is named.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/session/settings/settings.h"

namespace tpulab {

// Whether a step with these settings fits HBM. Asked only of settings that go together.
using Fits = std::function<bool(const Settings&)>;

// As they are typed at the prompt: "batch 11", "remat full; batch 2". Alone where one change is
// enough, else together with others; empty if nothing that is tried fits. Rows beyond `most_rows`
// on a device are not in the data.
std::vector<std::string> remedies(const Settings& settings, std::int64_t most_rows,
                                  const Fits& fits);

}  // namespace tpulab
