#include "commands/line_output.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/base/utf8.h"

namespace tpulab {

void LineOutput::lines(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  for (const std::string& line : split(text, '\n')) stream_ << printable(line) << '\n';
  note_failure();
}

void LineOutput::part(std::string_view text) { stream_ << printable(text); }

void LineOutput::end_line() { stream_ << '\n'; }

void LineOutput::flush() {
  stream_.flush();
  note_failure();
  if (stream_) return;
  const std::string why =
      error_number_ != 0 ? fmt::format(": {}", std::strerror(error_number_)) : std::string();
  throw Error(fmt::format("{} cannot be written{}; what was printed is not complete", name_, why));
}

void LineOutput::note_failure() {
  if (!stream_ && error_number_ == 0) error_number_ = errno;
}

}  // namespace tpulab
