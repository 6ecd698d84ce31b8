#include "engine/formats/given_arguments.h"

#include <algorithm>
#include <vector>

namespace tpulab {

namespace {

// Those of as many rows.
struct Alike {
  std::int64_t rows = 0;
  std::int64_t copies = 1;
  Bytes bytes{};
  Bytes integers{};
};

// On all devices together, of which so many have the same ones.
bool same_rows(std::int64_t rows, std::int64_t copies, std::int64_t others,
               std::int64_t their_copies) {
  const auto times = [](std::int64_t a, std::int64_t b) {
    return static_cast<double>(a) * static_cast<double>(b);  // of damaged texts beyond 64 bits
  };
  return times(rows, their_copies) == times(others, copies);
}

// Words of JAX's generators: two, or four.
bool is_key(const Type& type) {
  const Shape& shape = type.shape;
  return is_integer(type.dtype) && shape.rank() == 1 && (shape[0] == 2 || shape[0] == 4);
}

bool may_have_rows(const GivenArgument& argument) {
  return !argument.comes_back && !argument.aside && !argument.on_host &&
         may_be_batch(argument.type);
}

// Whole numbers that a turn reads a part of are microbatches.
bool is_like_layers(const GivenArgument& argument) {
  return argument.by_turns && !is_integer(argument.type.dtype);
}

// A row of numbers, as of a norm, says nothing of a batch.
bool says_rows(const GivenArgument& argument) {
  const bool some = is_integer(argument.type.dtype) || argument.type.shape.rank() > 1;
  return some && may_have_rows(argument) && !is_like_layers(argument);
}

void add(std::vector<Alike>& groups, const GivenArgument& argument) {
  const Type& type = argument.type;
  const std::int64_t rows = argument.rows();
  const auto known = std::ranges::find_if(groups, [&](const Alike& one) {
    return same_rows(one.rows, one.copies, rows, argument.copies);
  });
  Alike& group = known != groups.end()
                     ? *known
                     : groups.emplace_back(Alike{.rows = rows, .copies = argument.copies});
  group.bytes += bytes_of_type(type);
  if (is_integer(type.dtype)) group.integers += bytes_of_type(type);
}

bool tell_rows(ImportedStep& step, const std::vector<Alike>& groups) {
  if (groups.empty()) return false;
  Bytes all;
  for (const Alike& one : groups) all += one.bytes;
  const auto labels = std::ranges::max_element(groups, {}, &Alike::integers);
  const auto most = std::ranges::max_element(groups, {}, &Alike::bytes);
  const bool labelled = labels->integers > Bytes{};
  const bool known = step.trains ? most->bytes * 2 > all : groups.size() == 1;
  if (!labelled && !known) return false;
  step.rows = labelled ? labels->rows : most->rows;
  step.alike = labelled ? labels->copies : most->copies;
  return true;
}

bool is_sent(const ImportedStep& step, const GivenArgument& one) {
  if (!step.trains || step.rows == 0 || one.kept) return false;
  return same_rows(step.rows, step.alike, one.rows(), one.copies);
}

}  // namespace

std::int64_t GivenArgument::rows() const {
  if (part > 0) return part;
  std::int64_t rows = type.shape[axis_of_rows()];
  for (int i = 0; microbatches >= 0 && i < microbatch_axes; ++i) {
    rows *= type.shape[microbatches + i];
  }
  return rows;
}

std::int64_t copies_of_both(std::int64_t one, std::int64_t other, std::int64_t devices) {
  const std::int64_t parts = devices / std::max<std::int64_t>(other, 1);
  return std::max<std::int64_t>(one / std::max<std::int64_t>(parts, 1), 1);
}

bool may_be_batch(const Type& type) { return !type.shape.scalar() && !is_key(type); }

bool counts_steps(const Shape& shape, std::int64_t steps) {
  return steps > 1 && shape.rank() > 1 && shape[0] == steps;
}

bool are_by_devices(std::span<const Type> arguments, std::span<const Type> results,
                    std::int64_t extent) {
  const auto counts = [extent](const Type& type) {
    return type.shape.rank() > 0 && type.shape[0] == extent;
  };
  const auto is_number = [](const Type& type) { return type.shape.rank() == 1; };
  return std::ranges::all_of(arguments, counts) && std::ranges::all_of(results, counts) &&
         (std::ranges::any_of(arguments, is_number) || std::ranges::any_of(results, is_number));
}

void take_away_first_axes(std::span<Type> types) {
  for (Type& type : types) type.shape = Shape(type.shape.extents().subspan(1));
}

void tell_part(GivenArgument& given, const TurnPart& part, std::int64_t steps,
               std::int64_t copies) {
  given.aside = part.outside || (part.part && part.rows == 0);
  const bool once = part.turns == steps;
  if (!part.part || (given.each_step && once)) return;
  given.each_step = false;
  given.by_turns = false;
  given.part = part.rows;
  given.copies = copies;
  given.kept = !once;
}

void tell_arguments(ImportedStep& step, std::span<const GivenArgument> arguments,
                    std::int64_t partitions) {
  const bool others = step.trains && std::ranges::any_of(arguments, says_rows);
  const auto counts = [others](const GivenArgument& one) {
    return may_have_rows(one) && !(others && is_like_layers(one));
  };
  const auto chosen_by = [&](auto chosen) {
    std::vector<Alike> groups;
    for (const GivenArgument& one : arguments) {
      if (counts(one) && chosen(one)) add(groups, one);
    }
    return groups;
  };
  const auto told_by = [&](auto chosen) { return tell_rows(step, chosen_by(chosen)); };
  const std::vector<Alike> of_results =
      chosen_by([](const GivenArgument& one) { return one.told; });
  const auto whole_labels = [&step](const GivenArgument& one) {
    return step.steps == 1 && one.part == 0 && is_integer(one.type.dtype);
  };
  const auto of_turn = [&step](const GivenArgument& one) {
    const bool some = one.part > 0 || one.each_step;
    return some && (step.steps > 1 || is_integer(one.type.dtype));
  };
  const auto of_call_along_time = [&step](const GivenArgument& one) {
    return !step.trains && one.rows_axis >= 0;
  };
  const auto all = [](const GivenArgument&) { return true; };
  const bool clear = of_results.size() == 1 && tell_rows(step, of_results);
  if (!clear && !told_by(whole_labels) && !told_by(of_turn) && !told_by(of_call_along_time)) {
    told_by(all);
  }
  for (const GivenArgument& one : arguments) {
    const Bytes bytes = bytes_of_type(one.type);
    if (one.comes_back) step.state += bytes;
    if (one.on_host) continue;
    (counts(one) && is_sent(step, one) ? step.work.batch : step.stays) += bytes;
  }
  step.rows *= step.steps;
  if (step.rows == 0) step.alike = std::max<std::int64_t>(partitions, 1);
}

}  // namespace tpulab
