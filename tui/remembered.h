// What the dashboard remembers of a person from one session to the next: small texts in the folder
// of the state. Where that folder cannot be written nothing is remembered, and nobody is bothered.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tpulab {

// "theme": the one last chosen; "welcomed": the first line was seen.
std::optional<std::string> remembered(std::string_view name);
void remember(std::string_view name, std::string_view text);

}  // namespace tpulab
