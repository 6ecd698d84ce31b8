#include "engine/session/answers/price_rows.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "engine/compiler/price_program.h"
#include "engine/machine/collective.h"
#include "engine/session/answers/product_rows.h"

namespace tpulab {

namespace {

Roofs roofs_of(const std::vector<KernelRow>& kernels, const Generation& generation) {
  Roofs roofs{.operations = generation.matrix_flops_per_second(),
              .bytes = generation.hbm_bytes_per_second};
  for (const KernelRow& row : kernels) {
    for (const ProductTiles& product : row.products) {
      roofs.passes = std::max(roofs.passes, product.passes);
    }
  }
  return roofs;
}

LinkLoad link_load_of(const Program& program, const Machine& machine) {
  std::array<double, 3> carried{};
  for (const auto& kernel : program.kernels) {
    for (const Work& item : kernel.work->items) {
      const auto* work = std::get_if<CollectiveWork>(&item);
      if (work == nullptr) continue;
      const std::array<double, 3> once = bytes_of_links(*work, machine);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        carried[axis] += once[axis] * static_cast<double>(kernel.runs);
      }
    }
  }
  LinkLoad load{.bytes = machine.generation().link_bytes_per_second};
  for (std::size_t axis = 0; axis < 3; ++axis) load.carried[axis] = {std::llround(carried[axis])};
  return load;
}

}  // namespace

KernelRow kernel_row(std::string name, std::int64_t runs, const Price& price) {
  KernelRow row{price};
  row.name = std::move(name);
  row.runs = runs;
  return row;
}

PricedProgram priced_program(const Program& program, const Machine& machine, std::string title) {
  const ProgramPrice priced = price(program, machine);
  PricedProgram rows{.title = std::move(title),
                     .start = priced.start,
                     .time = priced.time,
                     .useful = priced.useful,
                     .kernels = {}};
  for (std::size_t i = 0; i < program.kernels.size(); ++i) {
    rows.kernels.push_back(
        kernel_row(program.kernels[i].full_name(), program.kernels[i].runs, priced.kernels[i]));
    KernelRow& row = rows.kernels.back();
    row.beside = priced.hidden[i];
    row.products = products_of(program.kernels[i].work, machine);
  }
  rows.links = link_load_of(program, machine);
  rows.roofs = roofs_of(rows.kernels, machine.generation());
  return rows;
}

namespace {

std::shared_ptr<const Program> train_program_of(const StepRecord& record) {
  if (record.kind != StepKind::train) return nullptr;
  for (const Event& event : *record.events) {
    if (auto program = train_step_of(event)) return program;
  }
  return nullptr;
}

}  // namespace

std::shared_ptr<const Program> newest_train_program(std::span<const StepRecord> records) {
  std::shared_ptr<const Program> newest;
  std::int64_t samples = 0;
  for (auto record = records.rbegin(); record != records.rend(); ++record) {
    auto program = train_program_of(*record);
    if (program == nullptr) continue;
    if (newest != nullptr) return record->samples > samples ? program : newest;
    newest = std::move(program);
    samples = record->samples;
  }
  return newest;
}

}  // namespace tpulab
