#include "commands/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tpulab {

namespace {

bool like_a_number(const std::string& cell) {
  return cell.empty() || std::string("+-$0123456789").find(cell.front()) != std::string::npos;
}

std::string csv_cell(const std::string& cell) {
  if (cell.find_first_of(",\"\n\r") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) line += (i > 0 ? "," : "") + csv_cell(cells[i]);
  return line;
}

void Table::add(std::vector<std::string> cells) {
  cells.resize(heads_.size());
  rows_.push_back(std::move(cells));
}

std::vector<std::string> Table::take_out_alike(std::size_t kept) {
  std::vector<std::string> said;
  if (rows_.size() < 2) return said;
  for (std::size_t column = heads_.size(); column-- > kept;) {
    const std::string& first = rows_.front()[column];
    const bool alike =
        std::ranges::all_of(rows_, [&](const auto& row) { return row[column] == first; });
    if (!alike || heads_[column].empty()) continue;
    const auto place = static_cast<std::ptrdiff_t>(column);
    if (first != "-" && !first.empty()) {
      said.insert(said.begin(), fmt::format("{}: {}", heads_[column], first));
    }
    heads_.erase(heads_.begin() + place);
    for (auto& row : rows_) row.erase(row.begin() + place);
  }
  return said;
}

std::vector<std::string> Table::lines() const {
  std::vector<std::size_t> widths;
  std::vector<bool> right;
  for (std::size_t column = 0; column < heads_.size(); ++column) {
    std::size_t width = heads_[column].size();
    for (const auto& row : rows_) width = std::max(width, row[column].size());
    widths.push_back(width);
    right.push_back(
        std::ranges::all_of(rows_, [&](const auto& row) { return like_a_number(row[column]); }));
  }
  const auto line_of = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t column = 0; column < cells.size(); ++column) {
      if (column > 0) line += "  ";
      line += right[column] ? fmt::format("{:>{}}", cells[column], widths[column])
                            : fmt::format("{:<{}}", cells[column], widths[column]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
  };
  std::vector<std::string> lines{line_of(heads_)};
  for (const auto& row : rows_) lines.push_back(line_of(row));
  return lines;
}

std::vector<std::string> Table::csv() const {
  std::vector<std::string> lines{csv_line(heads_)};
  for (const auto& row : rows_) lines.push_back(csv_line(row));
  return lines;
}

}  // namespace tpulab
