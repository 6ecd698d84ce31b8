#include "commands/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace tpulab {

namespace {

bool like_a_number(const std::string& cell) {
  return cell.empty() || std::string("+-$0123456789").find(cell.front()) != std::string::npos;
}

// Lines below go on in the same one: each row is a line for those who count or cut rows.
std::string in_one_line(const std::string& cell) {
  std::string line;
  for (std::size_t at = 0; at < cell.size();) {
    const std::size_t end = std::min(cell.find_first_of("\n\r", at), cell.size());
    line += (at > 0 ? " " : "") + cell.substr(at, end - at);
    at = std::min(cell.find_first_not_of("\n\r ", end), cell.size());
  }
  return line;
}

std::string csv_cell(const std::string& cell) {
  if (cell.find_first_of(",\"\n\r") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : in_one_line(cell))
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) line += (i > 0 ? "," : "") + csv_cell(cells[i]);
  return line;
}

std::string no_room_line(const std::vector<std::string>& heads) {
  return fmt::format("no room here for: {}; a wider screen or format csv has it",
                     fmt::join(heads, ", "));
}

void Table::add(std::vector<std::string> cells) {
  cells.resize(heads_.size());
  rows_.push_back(std::move(cells));
}

std::vector<std::string> Table::take_out_alike(const std::vector<std::string>& stay) {
  std::vector<std::string> said;
  if (rows_.size() < 2) return said;
  for (std::size_t column = heads_.size(); column-- > 0;) {
    const std::string& first = rows_.front()[column];
    const bool alike =
        std::ranges::all_of(rows_, [&](const auto& row) { return row[column] == first; });
    const bool stays = std::ranges::find(stay, heads_[column]) != stay.end();
    if (!alike || stays || heads_[column].empty()) continue;
    if (first != "-" && !first.empty()) {
      said.insert(said.begin(), fmt::format("{}: {}", heads_[column], first));
    }
    take_out(column);
  }
  return said;
}

void Table::take_out(std::size_t column) {
  const auto place = static_cast<std::ptrdiff_t>(column);
  heads_.erase(heads_.begin() + place);
  for (auto& row : rows_) row.erase(row.begin() + place);
}

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < heads_.size(); ++column) {
    std::size_t width = heads_[column].size();
    for (const auto& row : rows_) width = std::max(width, row[column].size());
    widths.push_back(width);
  }
  return widths;
}

std::vector<std::string> Table::fit(std::size_t room, const std::vector<std::string>& least_first) {
  std::vector<std::string> gone;
  for (const std::string& head : least_first) {
    const std::vector<std::size_t> each = widths();
    const std::size_t needed =
        std::accumulate(each.begin(), each.end(), 2 * (std::max<std::size_t>(1, each.size()) - 1));
    if (room == 0 || needed <= room) break;
    const auto column = std::ranges::find(heads_, head);
    if (column == heads_.end()) continue;
    take_out(static_cast<std::size_t>(column - heads_.begin()));
    if (!head.empty()) gone.push_back(head);
  }
  return gone;
}

std::vector<std::string> Table::lines(std::size_t room) const {
  const std::vector<std::size_t> width = widths();
  std::size_t last_start = 2 * (width.size() - 1);
  for (std::size_t column = 0; column + 1 < width.size(); ++column) last_start += width[column];
  std::vector<bool> right;
  for (std::size_t column = 0; column < heads_.size(); ++column) {
    right.push_back(
        std::ranges::all_of(rows_, [&](const auto& row) { return like_a_number(row[column]); }));
  }
  const auto line_of = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t column = 0; column < cells.size(); ++column) {
      if (column > 0) line += "  ";
      line += right[column] ? fmt::format("{:>{}}", cells[column], width[column])
                            : fmt::format("{:<{}}", cells[column], width[column]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
  };
  std::vector<std::string> lines{line_of(heads_)};
  constexpr std::size_t least_words = 16;  // beside the other columns
  const bool breaks = room >= last_start + least_words;
  for (const auto& row : rows_) {
    std::string line = line_of(row);
    while (breaks && line.size() > room) {
      const std::size_t blank = line.rfind(' ', room);
      if (blank == std::string::npos || blank <= last_start) break;
      lines.push_back(line.substr(0, blank));
      line.replace(0, blank + 1, last_start, ' ');
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<std::string> Table::csv() const {
  std::vector<std::string> lines{csv_line(heads_)};
  for (const auto& row : rows_) lines.push_back(csv_line(row));
  return lines;
}

}  // namespace tpulab
