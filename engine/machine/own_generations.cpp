#include "engine/machine/own_generations.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <iterator>
#include <map>

#include "engine/base/text.h"
#include "engine/machine/own_machine_file.h"

namespace tpulab {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 64;

// Why a machine cannot be called so, as it is typed before a size and never taken for another;
// empty if it can.
std::string why_no_name(const std::string& name) {
  constexpr std::size_t longest = 16;
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  const bool fits = !name.empty() && name.size() <= longest && is_small(name.front()) &&
                    std::ranges::all_of(name, [&](char c) { return is_small(c) || is_digit(c); });
  if (!fits) {
    return "a machine is called as its file, a small letter and up to 15 small letters and digits";
  }
  if (name.size() > 2 && is_digit(name[1]) && is_digit(name[2])) {
    return fmt::format("a letter and two digits or more, as in {}, begin the name of a GPU", name);
  }
  const bool built_in = find_row(generations(), name, &Generation::name) != nullptr;
  if (built_in || !generation_called(name).empty()) {
    return fmt::format("{} is a built-in generation", name);
  }
  return {};
}

using Rows = std::map<std::string, Generation>;

void read_row(const fs::path& file, Rows& rows, std::vector<std::string>& complaints) {
  const std::string name = file.stem().string();
  if (const std::string why = why_no_name(name); !why.empty()) {
    complaints.push_back(fmt::format("{}: {}; give the file another name", file.string(), why));
    return;
  }
  OwnMachineFile own = read_own_machine(file, name);
  if (own.row) rows.insert_or_assign(name, *own.row);
  std::ranges::move(own.complaints, std::back_inserter(complaints));
}

std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failure;
  fs::directory_iterator entry(folder / "slices.d", failure);
  for (; !failure && entry != fs::directory_iterator(); entry.increment(failure)) {
    if (entry->path().extension() == ".toml") files.push_back(entry->path());
  }
  std::ranges::sort(files);
  return files;
}

std::atomic<const std::vector<Generation>*>& newest() {
  static const std::vector<Generation> none;
  static std::atomic<const std::vector<Generation>*> rows = &none;
  return rows;
}

}  // namespace

std::vector<std::string> read_own_generations(std::span<const fs::path> folders) {
  static std::deque<std::vector<Generation>> read;  // slices point into them
  Rows rows;
  std::vector<std::string> complaints;
  for (const fs::path& folder : folders) {
    std::vector<fs::path> files = files_of(folder);
    if (files.size() > most_files) {
      complaints.push_back(fmt::format("{}: of {} files the first {} are read",
                                       (folder / "slices.d").string(), files.size(), most_files));
      files.resize(most_files);
    }
    for (const fs::path& file : files) read_row(file, rows, complaints);
  }
  std::vector<Generation>& list = read.emplace_back();
  for (auto& [name, row] : rows) list.push_back(row);
  newest() = &list;
  return complaints;
}

std::span<const Generation> own_generations() { return *newest().load(); }

const Generation* find_generation(std::string_view name) {
  if (const std::string_view row = generation_called(name); !row.empty()) name = row;
  if (const Generation* row = find_row(generations(), name, &Generation::name)) return row;
  const std::string own = fmt::format("{}{}", name.starts_with(own_mark) ? "" : own_mark, name);
  return find_row(own_generations(), own, &Generation::name);
}

}  // namespace tpulab
