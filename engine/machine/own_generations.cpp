#include "engine/machine/own_generations.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <iterator>
#include <map>
#include <utility>

#include "engine/base/text.h"
#include "engine/machine/own_machine_file.h"

namespace tpulab {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 64;

bool is_word(std::string_view name) {
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  return !name.empty() && is_small(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return is_small(c) || is_digit(c); });
}

// Why a machine cannot be called so, as it is typed before a size and never taken for another;
// empty if it can.
std::string why_no_name(const std::string& name) {
  constexpr std::size_t longest = 16;
  if (!is_word(name) || name.size() > longest) {
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

// What was found in the folders, by its name.
struct Found {
  struct Machine {
    Generation row;
    OwnMachine told;
  };
  std::map<std::string, Machine> machines;
  std::map<std::string, std::string> refused;  // the first complaint, by the name in small letters
};

std::string name_of(const fs::path& file) { return file.stem().string(); }

std::vector<std::string> read_row(const fs::path& file, Found& found) {
  const std::string name = name_of(file);
  if (const std::string why = why_no_name(name); !why.empty()) {
    return {fmt::format("{}: {}; give the file another name", file.string(), why)};
  }
  OwnMachineFile own = read_own_machine(file, name);
  if (own.row) {
    const OwnMachine told{std::string(own.row->name), file.string(), own.says};
    found.machines.insert_or_assign(name, Found::Machine{*own.row, told});
  }
  return std::move(own.complaints);
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

// Those of a folder.
std::vector<std::string> read_rows(const fs::path& folder, Found& found) {
  std::vector<std::string> complaints;
  const std::vector<fs::path> files = files_of(folder);
  if (files.size() > most_files) {
    complaints.push_back(fmt::format("{}: of {} files the first {} are read",
                                     (folder / "slices.d").string(), files.size(), most_files));
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::vector<std::string> told =
        i < most_files ? read_row(files[i], found) : std::vector{complaints.front()};
    if (!told.empty()) found.refused.emplace(lowered(name_of(files[i])), told.front());
    if (i < most_files) complaints.insert(complaints.end(), told.begin(), told.end());
  }
  return complaints;
}

// Slices point into them: they are never taken away.
struct Read {
  std::vector<Generation> rows;
  std::vector<OwnMachine> told;  // of each
  std::map<std::string, std::string> refused;
  std::vector<fs::path> folders;
};

std::atomic<const Read*>& newest() {
  static const Read none;
  static std::atomic<const Read*> read = &none;
  return read;
}

}  // namespace

std::vector<std::string> read_own_generations(std::span<const fs::path> folders) {
  static std::deque<Read> all;
  Found found;
  std::vector<std::string> complaints;
  for (const fs::path& folder : folders) {
    std::ranges::move(read_rows(folder, found), std::back_inserter(complaints));
  }
  Read& read = all.emplace_back();
  for (auto& [name, machine] : found.machines) {
    read.rows.push_back(machine.row);
    read.told.push_back(std::move(machine.told));
  }
  read.refused = std::move(found.refused);
  read.folders.assign(folders.begin(), folders.end());
  newest() = &read;
  return complaints;
}

std::span<const Generation> own_generations() { return newest().load()->rows; }

const Generation* find_generation(std::string_view name) {
  if (const std::string_view row = generation_called(name); !row.empty()) name = row;
  if (const Generation* row = find_row(generations(), name, &Generation::name)) return row;
  const std::string own = fmt::format("{}{}", name.starts_with(own_mark) ? "" : own_mark, name);
  return find_row(own_generations(), own, &Generation::name);
}

std::optional<OwnMachine> own_machine(std::string_view generation) {
  const std::vector<OwnMachine>& told = newest().load()->told;
  const auto found = std::ranges::find(told, generation, &OwnMachine::name);
  return found == told.end() ? std::nullopt : std::optional(*found);
}

std::string_view without_mark(std::string_view name) {
  return name.substr(name.starts_with(own_mark) ? own_mark.size() : 0);
}

std::string why_no_machine(std::string_view typed) {
  const std::string in_small = lowered(typed);
  const std::string name(without_mark(in_small));
  const Read& read = *newest().load();
  if (const auto found = read.refused.find(name); found != read.refused.end()) {
    return found->second + "; once that is mended, start the program again";
  }
  if (!is_word(name)) return {};
  for (const fs::path& folder : read.folders) {
    const fs::path file = folder / "slices.d" / (name + ".toml");
    std::error_code failure;
    if (!fs::exists(file, failure)) continue;
    return fmt::format(
        "{} was not there when the program started, which is when such files are "
        "read; start it again",
        file.string());
  }
  return {};
}

}  // namespace tpulab
