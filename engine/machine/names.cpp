#include "engine/machine/names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/text.h"

namespace tpulab {

Error unknown_name(std::string_view kind, std::string_view typed,
                   std::span<const std::string> names) {
  const std::string hint = hint_of(typed, names);
  return Error(
      fmt::format("unknown {} '{}'; {}there are: {}", kind, typed, hint, fmt::join(names, ", ")));
}

}  // namespace tpulab
