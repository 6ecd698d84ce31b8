#include "engine/base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/base/units.h"

namespace tpulab {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File() {
    if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

[[noreturn]] void refuse(const std::string& name, int error_number) {
  throw Error(fmt::format("cannot read {}: {}; check its path and its permissions", name,
                          std::strerror(error_number)));
}

std::string_view kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a named pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

void check_regular(const File& file, const std::string& name) {
  struct stat status {};
  if (::fstat(file.descriptor(), &status) != 0) refuse(name, errno);
  if (S_ISREG(status.st_mode)) return;
  throw Error(fmt::format("cannot read {}: it is {}; give a file", name, kind_of(status.st_mode)));
}

// The size is counted while it is read: a file may grow, and those of /proc say nothing of theirs.
std::string all_of(const File& file, const std::string& name, std::size_t most_bytes) {
  std::string text;
  std::array<char, 65536> part{};
  while (true) {
    const auto count = ::read(file.descriptor(), part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse(name, errno);
    if (count == 0) break;
    text.append(part.data(), static_cast<std::size_t>(count));
    if (text.size() <= most_bytes) continue;
    throw Error(fmt::format("cannot read {}: it holds more than {}; give a smaller one", name,
                            text_of(Bytes(static_cast<std::int64_t>(most_bytes)))));
  }
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  return text;
}

// A stream of C++ does not tell an error from the end; the one of C below std::cin does.
void check_end(const std::istream& in, int error_number) {
  if (in.rdbuf() != std::cin.rdbuf() || std::ferror(stdin) == 0) return;
  throw Error(fmt::format("standard input cannot be read: {}; give a file of commands or a pipe",
                          std::strerror(error_number)));
}

}  // namespace

std::optional<std::string> read_file_if_there(const std::filesystem::path& path,
                                              std::size_t most_bytes) {
  // O_NONBLOCK: opening a pipe would wait for a writer.
  const File file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (file.descriptor() < 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
    refuse(path.string(), errno);
  }
  check_regular(file, path.string());
  return all_of(file, path.string(), most_bytes);
}

bool means_a_file(std::string_view word) {
  return word.find_first_of("./") != std::string_view::npos;
}

std::string read_file(const std::filesystem::path& path, std::size_t most_bytes) {
  if (auto text = read_file_if_there(path, most_bytes)) return std::move(*text);
  refuse(path.string(), ENOENT);
}

std::string read_standard_input() {
  return all_of(File(STDIN_FILENO), "standard input", largest_file_bytes);
}

bool next_line(std::istream& in, std::string& line) {
  line.clear();
  std::streambuf& buffer = *in.rdbuf();
  for (int byte = buffer.sbumpc(); byte != std::char_traits<char>::eof(); byte = buffer.sbumpc()) {
    if (byte == '\n') return true;
    line += static_cast<char>(byte);
    if (line.size() <= longest_line_bytes) continue;
    throw Error(fmt::format("a line is longer than {}; these are no commands",
                            text_of(Bytes(static_cast<std::int64_t>(longest_line_bytes)))));
  }
  check_end(in, errno);
  return !line.empty();
}

std::string_view without_byte_order_mark(std::string_view text) {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  return text;
}

}  // namespace tpulab
