#include "tui/prompt/history.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "engine/base/write_file.h"
#include "engine/base/xdg.h"

namespace tpulab {
namespace {

constexpr std::streamoff most_bytes = std::streamoff{16} << 20;

bool is_file(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

// 0 or errno. Never waits: a FIFO that nobody reads is an error.
int write_file(const std::filesystem::path& path, std::string_view text, int how) {
  const int file =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | how, S_IRUSR | S_IWUSR);
  if (file < 0) return errno;
  errno = 0;
  const bool all = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const int error_number = all ? 0 : (errno != 0 ? errno : ENOSPC);
  ::close(file);
  return error_number;
}

// A full disk may have cut the newest line short.
bool ends_in_a_line(const std::filesystem::path& path) {
  if (!is_file(path)) return true;
  std::ifstream stream(path);
  return !stream.seekg(-1, std::ios::end) || stream.get() == '\n';
}

// The lines of the last mebibytes.
std::vector<std::string> newest_lines(const std::filesystem::path& path) {
  std::vector<std::string> lines;
  std::ifstream stream(path, std::ios::ate);
  const std::streamoff size = stream.tellg();
  stream.seekg(std::max<std::streamoff>(0, size - most_bytes));
  std::string line;
  if (size > most_bytes) std::getline(stream, line);  // the rest of one
  while (std::getline(stream, line)) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

}  // namespace

std::filesystem::path history_path() {
  const auto folder = user_state_folder();
  return folder ? *folder / "history" : std::filesystem::path();
}

std::vector<std::string> History::load() {
  if (!is_file(file_)) return {};
  auto lines = newest_lines(file_);
  const bool too_many = lines.size() > kept_lines;
  if (too_many) lines.erase(lines.begin(), lines.end() - kept_lines);
  std::error_code error;
  if (too_many || std::filesystem::file_size(file_, error) > most_bytes) rewrite(lines);
  if (!lines.empty()) newest_ = lines.back();
  return lines;
}

// A new file takes the place of the old one, wherever a link leads to it, so that a full disk never
// cuts it short.
void History::rewrite(const std::vector<std::string>& lines) const {
  std::error_code error;
  const auto old = std::filesystem::canonical(file_, error);
  if (error) return;
  auto fresh = old;
  fresh += fmt::format(".{}", ::getpid());
  if (write_file(fresh, fmt::format("{}\n", fmt::join(lines, "\n")), O_TRUNC) == 0) {
    std::filesystem::rename(fresh, old, error);
  } else {
    std::filesystem::remove(fresh, error);
  }
}

// One write(2) to a file opened with O_APPEND: lines of two sessions never mix.
std::optional<std::string> History::append(std::string_view line) {
  if (off_ || line.empty() || line == newest_) return std::nullopt;
  newest_ = line;
  if (file_.empty()) return give_up(ENOENT);
  if (const int error = make_private_folders(file_.parent_path()); error != 0)
    return give_up(error);
  const std::string whole = fmt::format("{}{}\n", ends_in_a_line(file_) ? "" : "\n", line);
  if (const int error = write_file(file_, whole, O_APPEND); error != 0) return give_up(error);
  return std::nullopt;
}

std::optional<std::string> History::give_up(int error_number) {
  off_ = true;
  if (file_.empty()) {
    return "history is not saved: neither HOME nor XDG_STATE_HOME names a folder; everything else "
           "works";
  }
  return fmt::format("history is not saved: {}: {}; everything else works", file_.string(),
                     std::strerror(error_number));
}

}  // namespace tpulab
