// Rows of text in aligned columns, for answers and for files.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tpulab {

// Between commas, quoted where RFC 4180 wants it, in one line.
std::string csv_line(const std::vector<std::string>& cells);

// What Table::fit() took out, in words.
std::string no_room_line(const std::vector<std::string>& heads);

class Table {
 public:
  explicit Table(std::vector<std::string> heads) : heads_(std::move(heads)) {}

  // Short rows are filled up with empty cells.
  void add(std::vector<std::string> cells);
  // Takes out the columns whose cells are the same in two or more rows, and answers them once:
  // "bound: host tracing". Those with heads that `stay` do, and those without a head; dashes just
  // leave.
  std::vector<std::string> take_out_alike(const std::vector<std::string>& stay);
  // Takes out columns until lines have room in so many, 0 being any number: of those named, the
  // first that are there. Answers the heads of what went, in its order.
  std::vector<std::string> fit(std::size_t room, const std::vector<std::string>& least_first);
  // Two spaces between columns; a column whose cells all begin like numbers stands at the right.
  // The last column goes on below itself where a line would have more than `room`, 0 being any.
  std::vector<std::string> lines(std::size_t room = 0) const;
  // As csv_line() of the heads and of each row.
  std::vector<std::string> csv() const;

 private:
  std::vector<std::size_t> widths() const;
  void take_out(std::size_t column);

  std::vector<std::string> heads_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace tpulab
