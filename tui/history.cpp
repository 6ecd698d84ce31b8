#include "tui/history.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>

namespace tpulab {
namespace {

constexpr std::uintmax_t largest_file_bytes = std::uintmax_t{16} << 20;

bool worth_reading(const std::filesystem::path& file) {
  std::error_code error;
  return std::filesystem::is_regular_file(file, error) &&
         std::filesystem::file_size(file, error) <= largest_file_bytes && !error;
}

// One write(2) to a file opened with O_APPEND: lines of two sessions never mix. 0 or errno.
int append_line(const std::filesystem::path& path, std::string_view line) {
  const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return errno;
  const std::string whole = std::string(line) + '\n';
  errno = 0;
  const auto written = ::write(file, whole.data(), whole.size());
  const bool all = written == static_cast<ssize_t>(whole.size());
  const int error_number = all ? 0 : (errno != 0 ? errno : ENOSPC);
  ::close(file);
  return error_number;
}

}  // namespace

std::filesystem::path history_path() {
  const auto* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && *state == '/') return std::filesystem::path(state) / "tpulab/history";
  const auto* home = std::getenv("HOME");
  const std::filesystem::path base = home != nullptr ? home : ".";
  return base / ".local/state/tpulab/history";
}

std::vector<std::string> History::load() {
  std::vector<std::string> lines;
  if (!worth_reading(file_)) return lines;
  std::ifstream stream(file_);
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  if (lines.size() > kept_lines) {
    lines.erase(lines.begin(), lines.end() - kept_lines);
    rewrite(lines);
  }
  if (!lines.empty()) newest_ = lines.back();
  return lines;
}

// A new file takes the place of the old one, so that a full disk never cuts it short.
void History::rewrite(const std::vector<std::string>& lines) const {
  auto fresh = file_;
  fresh += fmt::format(".{}", ::getpid());
  std::error_code error;
  {
    std::ofstream stream(fresh);
    std::filesystem::permissions(fresh, std::filesystem::perms{0600}, error);
    for (const auto& line : lines) stream << line << '\n';
    stream.flush();
    if (stream) {
      std::filesystem::rename(fresh, file_, error);
      return;
    }
  }
  std::filesystem::remove(fresh, error);
}

std::optional<std::string> History::append(std::string_view line) {
  if (off_ || line.empty() || line == newest_) return std::nullopt;
  newest_ = line;
  std::error_code error;
  std::filesystem::create_directories(file_.parent_path(), error);
  if (error) return give_up(error.value());
  if (const int error_number = append_line(file_, line); error_number != 0) {
    return give_up(error_number);
  }
  return std::nullopt;
}

std::optional<std::string> History::give_up(int error_number) {
  off_ = true;
  return fmt::format("history is not saved: {}: {}; everything else works", file_.string(),
                     std::strerror(error_number));
}

}  // namespace tpulab
