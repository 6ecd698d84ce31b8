// Validation in Lightning's order: two batches before any training, all of them after an epoch.
#include <cmath>

#include "engine/training/trainer.h"

namespace tpulab {

// What it validates is not read: where something cuts, evaluation compiles before training; else
// nothing runs. [xla-counts, Lightning]
void Trainer::check_sanity(StepReport& report) {
  runtime_.begin_step(StepKind::evaluate, loop_.step(), 0);
  const std::int64_t batches = loop_.val_batches();
  const std::int64_t rows = loop_.val_rows(loop_.sanity_batches());
  if (rows > 0) {
    check_length(batches);
    cuts_validation() ? hits_with_cuts(rows, false) : hits_of_one_graph(rows, false);
  }
  check_length(loop_.train_batches());
  if (batches > 0) check_length(batches);
  report.timeline = runtime_.end_step();
  loop_.sanity_checked();
}

// Lightning puts a loader's length on the device and asks whether it is 0, and whether it is more;
// with several devices it reads the length of each. [L: has_len_all_ranks, XLAStrategy.reduce]
void Trainer::check_length(std::int64_t batches) {
  const Type type{{}, runtime_.machine().stack->integers, Placement::shared};
  Array value = zeros(type);
  if (runtime_.numbers()) value[0] = static_cast<float>(batches);
  const BufferId length = runtime_.create(type, std::move(value), "length of a loader");
  if (runtime_.world() > 1) {
    runtime_.item(length);
  } else {
    const Tensor none = constant(runtime_.graph(), 0, {}, type.dtype);
    const Tensor asked = runtime_.leaf(length);
    runtime_.item(greater(none, asked), "length of a loader");
    runtime_.item(greater(asked, none), "length of a loader");
    runtime_.forget_trace();
  }
  runtime_.release(length);
}

void Trainer::evaluate(StepReport& report) {
  report.test_accuracy = std::nan("");
  if (!repeat({}, 0, report)) {
    runtime_.begin_step(StepKind::evaluate, loop_.step(), 0);
    const std::int64_t rows = loop_.val_rows(loop_.val_batches());
    const double hits =
        cuts_validation() ? hits_with_cuts(rows, true) : hits_of_one_graph(rows, true);
    const std::int64_t answers = answers_of(options_.model, example_);
    report.test_accuracy = hits / static_cast<double>(rows * runtime_.world() * answers);
    report.timeline = runtime_.end_step();
    remember({}, loop_.step());
  }
  loop_.evaluated();
}

Tensor Trainer::traced_hits(Tensor inputs, Tensor labels, std::span<const Tensor> parameters) {
  const Tensor asked = reshape(labels, Shape{labels.shape().elements()});
  return hits_of(options_.model, traced_logits(inputs, parameters, {}), asked, example_);
}

// The loader's next() or the script cuts, so each batch is a program of its own.
double Trainer::hits_with_cuts(std::int64_t rows, bool read) {
  const Type scalar_type{{}, DType::f32, Placement::shared};
  BufferId total = runtime_.create(scalar_type, zeros(scalar_type), "correct");
  for (std::int64_t first = 0; first < rows;) {
    const Batch batch = load(data_.test, test_sampler_, first, options_.batch);
    // Leaves in a fixed order: the batch is inputs 0 and 1.
    const Tensor inputs = runtime_.leaf(batch.inputs);
    const Tensor labels = runtime_.leaf(batch.labels);
    const Tensor before = runtime_.leaf(total);
    const Tensor hits = traced_hits(inputs, labels, parameter_leaves());
    const Live sum{add(before, all_reduce(hits, runtime_.world(), false)), total};
    runtime_.mark_step({&sum, 1}, "evaluation", batch.last ? "last batch" : "");
    runtime_.release(batch.inputs);
    runtime_.release(batch.labels);
    first += batch.rows;
  }
  const double value = read ? static_cast<double>(runtime_.item(total)) : 0;
  runtime_.release(total);
  return value;
}

// Without a loader that cuts, all batches are one graph until their sum is read.
double Trainer::hits_of_one_graph(std::int64_t rows, bool read) {
  const std::vector<Tensor> parameters = parameter_leaves();
  std::vector<Batch> batches;
  Tensor sum;
  for (std::int64_t first = 0; first < rows; first += batches.back().rows) {
    batches.push_back(load(data_.test, test_sampler_, first, options_.batch));
    const Tensor inputs = runtime_.leaf(batches.back().inputs);
    const Tensor hits = traced_hits(inputs, runtime_.leaf(batches.back().labels), parameters);
    sum = first == 0 ? hits : add(sum, hits);
  }
  const double value = read ? static_cast<double>(runtime_.item(sum, "evaluation")) : 0;
  runtime_.forget_trace();
  for (const Batch& batch : batches) {
    runtime_.release(batch.inputs);
    runtime_.release(batch.labels);
  }
  return value;
}

}  // namespace tpulab
