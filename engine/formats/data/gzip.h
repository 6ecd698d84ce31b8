// Files that gzip has packed, as data sets are handed out.
#pragma once

#include <cstddef>
#include <string>

namespace tpulab {

// The bytes themselves, or where they are of gzip (one member or several) what is packed in them.
// `file` is how errors call it. Throws Error for what is cut or damaged, and for more than
// `most_bytes`, whatever a small file would unpack to.
std::string unpacked(std::string bytes, const std::string& file, std::size_t most_bytes);

}  // namespace tpulab
