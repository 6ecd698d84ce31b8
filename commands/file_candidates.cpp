#include "commands/file_candidates.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "commands/words.h"

namespace tpulab {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_offered = 1000;
constexpr int most_looked_at = 100'000;

bool needs_quotes(const std::string& name) {
  return std::ranges::any_of(name, [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == '\x7f' ||
           std::string_view(";,=#'\"()[]{}").find(c) != std::string_view::npos;
  });
}

}  // namespace

std::vector<std::string> file_candidates(std::string_view typed) {
  const auto slash = typed.rfind('/');
  const std::string folder(slash == std::string_view::npos ? "" : typed.substr(0, slash + 1));
  const std::string_view begun = typed.substr(folder.size());
  std::vector<std::string> candidates;
  std::error_code error;
  const std::string where = folder.empty() ? "." : file_named(folder);
  int looked_at = 0;
  for (fs::directory_iterator at(where, error), end; !error && at != end; at.increment(error)) {
    if (++looked_at > most_looked_at || candidates.size() >= most_offered) {
      // What all of these begin with the rest may not: with this among them no more is common.
      candidates.emplace_back(typed);
      break;
    }
    const std::string name = at->path().filename().string();
    if (!name.starts_with(begun) || needs_quotes(name)) continue;
    if (begun.empty() && name.front() == '.') continue;
    std::error_code unknown;
    candidates.push_back(folder + name + (at->is_directory(unknown) ? "/" : ""));
  }
  return candidates;
}

}  // namespace tpulab
