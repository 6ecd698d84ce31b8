#include "engine/formats/stablehlo/partition.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/formats/stablehlo/divided_program.h"
#include "engine/formats/stablehlo/part_writer.h"
#include "engine/formats/stablehlo/regrouped.h"
#include "engine/formats/stablehlo/sums_behind_loops.h"
#include "engine/formats/stablehlo/types.h"

namespace tpulab::stablehlo {

namespace {

// What a text says of how it is divided.
struct Said {
  int arguments = 0;
  int constraints = 0;
  bool shard_maps = false;
};

void look(const Region& region, Said& said) {
  for (const Operation& one : region.operations) {
    said.shard_maps |= is_shard_map(one);
    said.constraints += divides(sharding_of(one)) ? 1 : 0;
    for (const Region& inner : one.regions) look(inner, said);
  }
}

Said said_in(const Module& module) {
  Said said;
  for (const Function& one : module.functions) look(one.body, said);
  for (const Argument& one : entry_of(module).body.arguments) {
    said.arguments += divides(sharding_of(one.attributes)) ? 1 : 0;
  }
  return said;
}

// Each of so many devices has the whole of what is said to be divided by nothing.
void note_copies(Module& module, std::int64_t devices) {
  const std::string_view entry = entry_of(module).name;
  for (Argument& one :
       std::ranges::find(module.functions, entry, &Function::name)->body.arguments) {
    if (sharding_of(one.attributes).empty()) continue;
    one.copies.assign(static_cast<std::size_t>(one.type.shape.rank()), devices);
  }
}

}  // namespace

void partition(Module& module, ImportNotes& notes) {
  const Said said = said_in(module);
  const auto devices = whole_numbers(module.attributes.find("mhlo.num_partitions"));
  if (said.arguments + said.constraints == 0 && !said.shard_maps) {
    return note_copies(module, devices.empty() ? 1 : devices[0]);
  }
  const bool several = !devices.empty() && devices[0] > 1;
  DeviceMesh mesh(module);
  const std::string_view why = mesh.why_not();
  if (said.shard_maps && !why.empty()) {
    throw Error(fmt::format(
        "{}: its shard_map is not read: {}; export it on one mesh of up to 4,096 devices",
        module.file, why));
  }
  if (!said.shard_maps && (!several || mesh.empty())) {
    const int left = said.constraints + (several ? said.arguments : 0);
    const std::string what = why.empty() ? left_out : fmt::format("{}: {}", left_out, why);
    if (left > 0) notes.counts[what] += left;
    return;
  }
  const Function& entry = entry_of(module);
  split_axes(entry, mesh);
  DividedProgram program = followed(module, entry, mesh, said.shard_maps, notes);
  spread_divisions(program, mesh);
  Function whole{.name = entry.name, .line = entry.line, .results = entry.results};
  whole.body = part_of_one_device(module, entry, std::move(program), mesh, notes);
  sum_behind_loops(module, whole.body);
  module.functions.clear();
  module.functions.push_back(std::move(whole));
}

}  // namespace tpulab::stablehlo
