// Rows of text in aligned columns, for answers and for files.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tpulab {

// Between commas, quoted where RFC 4180 wants it.
std::string csv_line(const std::vector<std::string>& cells);

class Table {
 public:
  explicit Table(std::vector<std::string> heads) : heads_(std::move(heads)) {}

  // Short rows are filled up with empty cells.
  void add(std::vector<std::string> cells);
  // Takes out the columns whose cells are the same in two or more rows, and answers them once:
  // "bound: host tracing". The first `kept` columns stay, and those without a head; dashes just
  // leave.
  std::vector<std::string> take_out_alike(std::size_t kept);
  // Two spaces between columns; a column whose cells all begin like numbers stands at the right.
  std::vector<std::string> lines() const;
  // As csv_line() of the heads and of each row.
  std::vector<std::string> csv() const;

 private:
  std::vector<std::string> heads_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace tpulab
