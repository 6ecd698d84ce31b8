// Validation: batch by batch, or as one graph.
#include "engine/training/trainer.h"

namespace tpulab {

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

void Trainer::begin_validation(bool apart) {
  if (!apart) return;
  const Type scalar_type{{}, DType::f32, Placement::shared};
  now_.total = runtime_.create(scalar_type, zeros(scalar_type), "correct");
}

// Leaves in a fixed order: the batch is inputs 0 and 1. Without a cut all batches are one graph
// until their sum is read.
void Trainer::trace_validation() {
  const bool apart = now_.total >= 0;
  if (!apart && now_.parameters.empty()) now_.parameters = parameter_leaves();
  const Tensor inputs = runtime_.leaf(now_.batches.back().inputs);
  const Tensor labels = runtime_.leaf(now_.batches.back().labels);
  const Tensor before = apart ? runtime_.leaf(now_.total) : now_.hits;
  const std::vector<Tensor> parameters = apart ? parameter_leaves() : now_.parameters;
  const Tensor asked = reshape(labels, Shape{labels.shape().elements()});
  const Tensor hits =
      hits_of(options_.model, traced_logits(inputs, parameters, {}), asked, example_);
  const Tensor all = apart ? all_reduce(hits, runtime_.world(), false) : hits;
  now_.hits = before ? add(before, all) : all;
}

void Trainer::cut_validation() {
  const Live sum{now_.hits, now_.total};
  runtime_.mark_step({&sum, 1}, "evaluation", now_.batches.back().last ? "last batch" : "");
  release_batches();
}

double Trainer::end_validation(std::int64_t rows, bool reads) {
  const bool apart = now_.total >= 0;
  double hits = 0;
  if (reads) hits = apart ? runtime_.item(now_.total) : runtime_.item(now_.hits, "evaluation");
  if (apart) {
    runtime_.release(now_.total);
  } else {
    runtime_.forget_trace();
  }
  release_batches();
  const std::int64_t answers = answers_of(options_.model, example_);
  return hits / static_cast<double>(rows * runtime_.world() * answers);
}

}  // namespace tpulab
