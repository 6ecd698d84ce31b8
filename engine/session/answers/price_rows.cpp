#include "engine/session/price_rows.h"

#include "engine/compiler/price_program.h"
#include "engine/session/product_rows.h"

namespace tpulab {

KernelRow kernel_row(std::string name, std::int64_t runs, const Price& price) {
  return {.name = std::move(name),
          .runs = runs,
          .time = price.time,
          .bound = std::string(name_of(price.bound)),
          .matrix = price.matrix,
          .vector = price.vector,
          .hbm = price.hbm,
          .blocks = price.blocks,
          .transfer = price.transfer,
          .latency = price.latency,
          .overhead = price.overhead,
          .exposed = price.exposed,
          .useful = price.useful,
          .traffic = price.traffic};
}

PricedProgram priced_program(const Program& program, const Machine& machine, std::string title) {
  const ProgramPrice priced = price(program, machine);
  PricedProgram rows{
      .title = std::move(title), .start = priced.start, .time = priced.time, .kernels = {}};
  for (std::size_t i = 0; i < program.kernels.size(); ++i) {
    rows.kernels.push_back(
        kernel_row(program.kernels[i].name, program.kernels[i].runs, priced.kernels[i]));
    rows.kernels.back().products = products_of(program.kernels[i].work, machine);
  }
  return rows;
}

std::shared_ptr<const Program> newest_train_program(std::span<const StepRecord> records) {
  for (auto record = records.rbegin(); record != records.rend(); ++record) {
    if (record->kind != StepKind::train) continue;
    for (const Event& event : *record->events) {
      if (event.kind == EventKind::dispatch && event.name == "train step") return event.program;
    }
  }
  return nullptr;
}

}  // namespace tpulab
