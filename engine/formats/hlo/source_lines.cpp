#include "engine/formats/hlo/source_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/formats/hlo/scanner.h"
#include "engine/formats/imported_step.h"

namespace tpulab::hlo {

namespace {

// The value of "{key=value key=value}" as a number; 0 if it is not there.
std::int64_t field(std::string_view row, std::string_view key) {
  const std::size_t at = row.find(key);
  if (at == std::string_view::npos) return 0;
  const std::string_view rest = row.substr(at + key.size());
  return first_number(rest.substr(0, rest.find_first_of(" }")), 0);
}

// The lines of a table: "FileNames" and below it "1 "train.py"" until an empty one.
template <class Take>
void rows_of(const Module& module, std::string_view heading, const Take& take) {
  const std::size_t at = module.text.find(fmt::format("\n{}\n", heading));
  if (at == std::string::npos) return;
  Scanner scan(module.text);
  scan.go_to(at + heading.size() + 2);
  for (std::string_view line = scan.line(); !line.empty(); line = scan.line()) {
    const std::size_t blank = std::min(line.find(' '), line.size());
    const std::vector<std::int64_t> number = numbers_in(line.substr(0, blank));
    if (number.size() == 1) take(number[0], line.substr(blank));
  }
}

}  // namespace

SourceLines::SourceLines(const Module& module) {
  rows_of(module, "FileNames",
          [&](std::int64_t number, std::string_view row) { files_[number] = unquoted(row); });
  rows_of(module, "FileLocations", [&](std::int64_t number, std::string_view row) {
    places_[number] = {field(row, "file_name_id="), field(row, " line=")};
  });
  rows_of(module, "StackFrames", [&](std::int64_t number, std::string_view row) {
    frames_[number] = field(row, "file_location_id=");
  });
}

std::string SourceLines::of(const Instruction& instruction) const {
  const std::string_view metadata = instruction.find("metadata");
  const std::size_t file = metadata.find("source_file=");
  if (file != std::string_view::npos) {
    const std::string_view rest = metadata.substr(file);
    const std::string_view name = rest.substr(0, rest.find('"', rest.find('"') + 1) + 1);
    return text_of_place(unquoted(name), field(rest, "source_line="));
  }
  const auto frame = frames_.find(field(metadata, "stack_frame_id="));
  if (frame == frames_.end()) return {};
  const auto place = places_.find(frame->second);
  if (place == places_.end()) return {};
  const auto found = files_.find(place->second.file);
  return found == files_.end() ? std::string() : text_of_place(found->second, place->second.line);
}

}  // namespace tpulab::hlo
