#include "engine/session/answers/machine_words.h"

#include <fmt/format.h>

#include <array>
#include <map>

#include "engine/base/text.h"
#include "engine/machine/chip_price.h"
#include "engine/machine/gpus.h"
#include "engine/machine/machine.h"
#include "engine/machine/own_generations.h"
#include "engine/machine/price.h"
#include "engine/session/answers/gpu_row_words.h"

namespace tpulab {

namespace {

constexpr std::array<ConstantEntry<Generation>, 34> entries{{
    {"clock, Hz", &Generation::clock_hertz},
    {"matrix units a device", &Generation::matrix_units},
    {"side of a matrix unit", &Generation::matrix_side},
    {"int8 against bf16", &Generation::int8_speed},
    {"fp8 against bf16", &Generation::fp8_speed},
    {"matrix efficiency", &Generation::matrix_efficiency},
    {"rows of weights into a unit a clock", &Generation::load_rows_per_clock},
    {"vector operations a clock", &Generation::vector_lanes},
    {"clocks of a medium operation", &Generation::medium_clocks},
    {"clocks of a transcendental", &Generation::transcendental_clocks},
    {"clocks of a lane reduction", &Generation::lane_reduction_clocks},
    {"HBM a device, GiB", &Generation::hbm_gib},
    {"HBM for a program, GiB", &Generation::usable_hbm_gib},
    {"HBM a device, B/s", &Generation::hbm_bytes_per_second},
    {"HBM efficiency", &Generation::hbm_efficiency},
    {"VMEM a device, MiB", &Generation::vmem_mib},
    {"VMEM for blocks, MiB", &Generation::block_mib},
    {"resident operand, MiB", &Generation::resident_mib},
    {"CMEM, MiB", &Generation::held_mib},
    {"chips of the smallest ring", &Generation::smallest_ring},
    {"torus link one way, B/s", &Generation::link_bytes_per_second},
    {"link efficiency", &Generation::link_efficiency},
    {"torus hop, s", &Generation::hop_seconds},
    {"start of a collective, s", &Generation::collective_seconds},
    {"network a chip, B/s", &Generation::network_bytes_per_second},
    {"network exchange, s", &Generation::network_seconds},
    {"start of a kernel, s", &Generation::kernel_seconds},
    {"start of a block, s", &Generation::block_seconds},
    {"start of a program, s", &Generation::program_seconds},
    {"host link a chip, B/s", &Generation::host_link_bytes_per_second},
    {"host RAM a chip, GB", &Generation::host_gb},
    {"CPUs of a VM of four chips", &Generation::host_cpus},
    {"of one chip", &Generation::lone_chip_cpus},
    {"of eight chips", &Generation::eight_chip_cpus},
}};

std::string whole_text(Bytes bytes) {
  static constexpr std::array<std::string_view, 3> units{"GiB", "TiB", "PiB"};
  auto size = static_cast<double>(bytes.value) / (1 << 30);
  std::size_t unit = 0;
  while (size >= 1024 && unit + 1 < units.size()) size /= 1024, ++unit;
  return fmt::format("{:.4g} {}", size, units[unit]);
}

std::string source_text(const Constant& constant) {
  return fmt::format("{}, {}", name_of(constant.mark), constant.source);
}

std::string torus_text(const Slice& slice) {
  const int rank = slice.generation->torus_rank;
  std::string sides;
  std::string closed;
  for (int axis = 0; axis < rank; ++axis) {
    const auto at = static_cast<std::size_t>(axis);
    sides += fmt::format("{}{}", axis > 0 ? " x " : "", slice.torus[at]);
    if (slice.wraps[at]) {
      closed += fmt::format("{}{}", closed.empty() ? "" : ", ", "xyz"[axis]);
    }
  }
  const std::string each = slice.joined > 1 ? fmt::format("{} slices, each ", slice.joined) : "";
  const Constant& ring = slice.generation->smallest_ring;
  return fmt::format("{}{} of {} chips, {}; an axis closes from {:g} chips on{} ({})", each,
                     rank == 2 ? "2-D torus" : "3-D torus", sides,
                     closed.empty() ? "no wrap-around links: a mesh with open ends"
                                    : "wrap-around links on axis " + closed,
                     ring.value, rank == 3 ? ", in slices of 64 chips or more" : "",
                     source_text(ring));
}

constexpr std::string_view between_kernels_name = "arrays between kernels, MiB";
Constant between_kernels(const Generation& row) {
  return {static_cast<double>(held_bytes(row).value) / (1 << 20), Mark::derived,
          "CMEM and half of the VMEM that blocks leave; none where two cores act as one"};
}

std::string marks_text(const Generation& row) {
  std::map<Mark, int> counts;
  for (const auto& entry : entries) ++counts[(row.*entry.value).mark];
  ++counts[between_kernels(row).mark];
  std::string text;
  for (const auto& [mark, count] : counts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name_of(mark));
  }
  return text;
}

std::string price_hint(const Generation& row) {
  const auto own = own_machine(row.name);
  const bool unpriced = own && !chip_price(row);
  return unpriced ? fmt::format("; add price = \"2.70 $/h\", of a chip, to {} and start again",
                                own->file)
                  : "";
}

std::string price_text(const Generation& row) {
  const std::optional<ChipPrice> price = chip_price(row);
  if (!price) return "price: none known" + price_hint(row);
  return fmt::format("price: ${:.4g} a chip-hour {} ({})", price->dollars_per_hour.value,
                     price->terms, source_text(price->dollars_per_hour));
}

std::vector<EventField> fields_of(const Slice& slice) {
  std::vector<EventField> fields{{"slice", slice.name},
                                 {"generation", std::string(slice.generation->name)},
                                 {"joined", std::int64_t{slice.joined}},
                                 {"chips", std::int64_t{slice.chips}},
                                 {"cores", std::int64_t{slice.cores()}},
                                 {"devices", std::int64_t{slice.devices()}},
                                 {"hosts", std::int64_t{slice.hosts}},
                                 {"hbm_bytes_a_device", slice.hbm_per_device().value},
                                 {"bf16_operations_per_second",
                                  slice.generation->matrix_flops_per_second() * slice.devices()}};
  for (int axis = 0; axis < slice.generation->torus_rank; ++axis) {
    const auto at = static_cast<std::size_t>(axis);
    const std::string name(1, "xyz"[axis]);
    fields.push_back({"chips_" + name, std::int64_t{slice.torus[at]}});
    fields.push_back({"wraps_" + name, std::int64_t{slice.wraps[at]}});
  }
  return fields;
}

}  // namespace

Described slice_in_words(std::string_view name) {
  if (reads_as_gpus(name)) return gpu_row_in_words(name);
  const Slice slice = slice_named(name);
  const Generation& row = *slice.generation;
  const int cores_per_host = slice.cores() / slice.hosts;
  Described described{.lines = {}, .fields = fields_of(slice), .constants = {}};
  std::vector<std::string>& lines = described.lines;
  lines.push_back(fmt::format("slice {}: {}, {} per host x {}, {} of HBM in all", slice.name,
                              count_with(slice.cores(), "core"), cores_per_host,
                              count_with(slice.hosts, "host"), whole_text(slice.hbm())));
  lines.push_back(fmt::format(
      "  {} of {}, {} each; the name counts {}", count_with(slice.chips, "chip"), row.public_name,
      count_with(row.cores_per_chip, "core"), row.name_counts_cores ? "cores" : "chips"));
  lines.push_back(fmt::format("  {}, each a {} with {} of HBM and {:.4g} GB/s",
                              count_with(slice.devices(), "device"), slice.device_word(),
                              whole_text(slice.hbm_per_device()),
                              row.hbm_bytes_per_second.value / 1e9));
  lines.push_back("  " + torus_text(slice));
  if (slice.joined > 1) {
    lines.push_back(fmt::format(
        "  between slices the network gives {:.4g} GB/s a chip at its peak; `show stack NAME` "
        "says what software reaches of it{}",
        row.network_bytes_per_second.value / 1e9,
        joins_slices(row) ? "" : "; Cloud TPU joins slices (multislice) from v4 on"));
  }
  lines.push_back(
      fmt::format("  bf16 peak {} TFLOP/s in all",
                  text_of_number(row.matrix_flops_per_second() * slice.devices() / 1e12)));
  lines.push_back(fmt::format("  constants of {}: {}; `show generation {}` lists their sources",
                              row.name, marks_text(row), row.name));
  lines.push_back("  " + price_text(row));
  return described;
}

bool joins_slices(const Generation& generation) {
  return generation.network_bytes_per_second.mark != Mark::assumed;
}

Described generation_in_words(std::string_view name) {
  if (reads_as_gpus(name)) return gpu_row_in_words(name);
  const Generation& row = generation_named(name);
  Described described;
  described.fields = {{"generation", std::string(row.name)},
                      {"public_name", std::string(row.public_name)},
                      {"cores_per_chip", std::int64_t{row.cores_per_chip}},
                      {"devices_per_chip", std::int64_t{row.devices_per_chip}},
                      {"most_chips", std::int64_t{row.max_chips}}};
  described.lines = {
      fmt::format("generation {}: {}, {} a chip, {} a chip, at most {} chips in a pod", row.name,
                  row.public_name, count_with(row.cores_per_chip, "core"),
                  count_with(row.devices_per_chip, "device"), text_with_commas(row.max_chips))};
  add_constants<Generation>(described, row, entries);
  described.fields.emplace_back("held_bytes", held_bytes(row).value);
  add_constant(described, between_kernels_name, between_kernels(row));
  described.lines.push_back("  " + price_text(row));
  return described;
}

std::vector<std::string> generation_names() {
  std::vector<std::string> names;
  for (const Generation& row : generations()) names.emplace_back(row.name);
  for (const Generation& row : own_generations()) names.emplace_back(row.name);
  return names;
}

std::string generation_of_slice(std::string_view slice) {
  if (reads_as_gpus(slice)) return std::string(gpus_named(slice).gpu->name);
  return std::string(slice_named(slice).generation->name);
}

std::string price_hint_of_slice(std::string_view slice) {
  return reads_as_gpus(slice) ? std::string() : price_hint(*slice_named(slice).generation);
}

std::optional<SlicePrice> price_of_slice(std::string_view slice) {
  if (reads_as_gpus(slice)) return std::nullopt;
  const Slice found = slice_named(slice);
  const std::optional<ChipPrice> price = chip_price(*found.generation);
  if (!price) return std::nullopt;
  return SlicePrice{.dollars_per_hour = price->dollars_per_hour * found.chips,
                    .terms = std::string(price->terms),
                    .source = source_text(price->dollars_per_hour)};
}

}  // namespace tpulab
