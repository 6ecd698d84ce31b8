#include "engine/base/write_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "engine/base/error.h"

namespace tpulab {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, int error_number) {
  throw Error(fmt::format("cannot write {}: {}; check its folder, its permissions and the disk",
                          path.string(), std::strerror(error_number)));
}

// 0 or errno. Never waits: a FIFO that nobody reads is an error. Of a file that it had to make
// itself (O_EXCL) nothing is left where it could not be written.
int write_all(const fs::path& path, std::string_view text, int how) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | how, 0666);
  if (file < 0) return errno;
  int error_number = 0;
  while (!text.empty() && error_number == 0) {
    errno = 0;
    const auto count = ::write(file, text.data(), text.size());
    if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
    if (count <= 0 && errno != EINTR) error_number = errno != 0 ? errno : ENOSPC;
  }
  if (::close(file) != 0 && error_number == 0) error_number = errno;
  if (error_number != 0 && (how & O_EXCL) != 0) ::unlink(path.c_str());
  return error_number;
}

struct Fresh {
  fs::path path;
  int error_number = 0;
};

// A name that nobody has: a file or a link that somebody put in the way is never written to.
Fresh write_beside(const fs::path& target, std::string_view text) {
  constexpr int most_names = 100;
  Fresh fresh;
  for (int i = 0; i < most_names; ++i) {
    fresh.path = target;
    fresh.path += fmt::format(".{}.{}", ::getpid(), i);
    fresh.error_number = write_all(fresh.path, text, O_EXCL);
    if (fresh.error_number != EEXIST) break;
  }
  return fresh;
}

}  // namespace

void write_file(const fs::path& path, std::string_view text) {
  std::error_code error;
  // Wherever a link leads to it; what is no file is not replaced by one.
  const fs::path found = fs::canonical(path, error);
  const fs::path& target = error ? path : found;
  if (!error && !fs::is_regular_file(target)) {
    throw Error(fmt::format("cannot write {}: it is no file; give another name", path.string()));
  }
  const auto [fresh, number] = write_beside(target, text);
  if (number != 0) refuse(path, number);
  std::error_code ignored;
  if (!error) fs::permissions(fresh, fs::status(target).permissions(), ignored);
  fs::rename(fresh, target, error);
  if (!error) return;
  fs::remove(fresh, ignored);
  refuse(path, error.value());
}

void make_folders(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  std::error_code ignored;
  if (fs::is_directory(folder, ignored)) return;
  throw Error(
      fmt::format("cannot make the folder {}: {}; give another name, or look at its "
                  "permissions and the disk",
                  folder.string(), error ? error.message() : std::string("a file has that name")));
}

int make_private_folders(const fs::path& folder) {
  fs::path made;
  for (const auto& part : folder) {
    made /= part;
    if (::mkdir(made.c_str(), 0700) != 0 && errno != EEXIST && errno != EROFS && errno != EACCES) {
      return errno;
    }
  }
  std::error_code error;
  return fs::is_directory(folder, error) ? 0 : ENOTDIR;
}

void create_file(const fs::path& path, std::string_view text) {
  if (const int number = write_all(path, text, O_EXCL); number != 0) {
    if (number == EEXIST) {
      throw Error(fmt::format("{} is there already; give another name", path.string()));
    }
    refuse(path, number);
  }
}

}  // namespace tpulab
