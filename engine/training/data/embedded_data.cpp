#include "engine/training/data/embedded_data.h"

#include <fmt/format.h>

#include <span>

#include "engine/base/embedded.h"
#include "engine/base/error.h"

namespace tpulab {

std::span<const EmbeddedFile> embedded_data();

std::string_view embedded_file(std::string_view name) {
  for (const EmbeddedFile& file : embedded_data()) {
    if (file.name == name) return file.text;
  }
  throw Error(fmt::format("{} is missing from this build; build it again", name));
}

}  // namespace tpulab
