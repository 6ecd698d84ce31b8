// Names of files for Tab, as a shell offers them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tpulab {

// What `typed` may become: "dir/" for a folder, the rest as it was typed ("~/a.toml"). Names that
// begin with a dot need theirs typed; names that would have to be quoted are left out. At most
// 1,000, of the first 100,000 of a folder; of more, `typed` itself is one beside these.
std::vector<std::string> file_candidates(std::string_view typed);

}  // namespace tpulab
