// The trainer: what Lightning's order asks for, with arrays and traces.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/runtime/runtime.h"
#include "engine/training/checkpoint.h"
#include "engine/training/dataset.h"
#include "engine/training/gradient.h"
#include "engine/training/habits.h"
#include "engine/training/lightning.h"
#include "engine/training/loop.h"
#include "engine/training/model.h"
#include "engine/training/networks/networks.h"
#include "engine/training/optimizer.h"
#include "engine/training/sampler.h"

namespace tpulab {

struct TrainerOptions {
  std::int64_t batch = 32;  // rows per core
  Model model = perceptron({1024, 1024});
  OptimizerOptions optimizer;
  std::int64_t max_epochs = 1;  // -1: no limit
  std::int64_t max_steps = -1;  // -1: no limit
  LoopOptions loop;
  std::uint64_t seed = 1;
  const Dataset* data = &digits();
  Split split = Split::rows;
  std::int64_t rows = 0;  // the first so many are trained on; 0: all
  Habits habits;
  bool class_weights = false;
  bool hard_examples = false;
  bool drop_last = false;
  DType storage = DType::f32;   // of weights, gradients, optimizer state
  DType compute = DType::f32;   // of activations and products
  std::optional<DType> sent{};  // rows of numbers leave the host so; empty: as the stack does
  MatmulPrecision precision = MatmulPrecision::default_;
};

// Of all devices.
std::int64_t rows_of_epoch(const TrainerOptions& options);

class Trainer final : LightningParts {
 public:
  // Initialises and uploads the model. Throws Error.
  Trainer(Machine machine, ProgramCache& cache, WorkerPool& workers, Metrics& metrics,
          const TrainerOptions& options, ExecuteOptions execution);

  // One optimizer step, or an evaluation where one is due, or first of all Lightning's sanity
  // check. Throws Error; the trainer is done then.
  StepReport advance();
  bool done() const { return loop_.done(); }
  // As if so many steps had gone by: what follows from their count, not what they do to weights.
  void skip(std::int64_t steps) { loop_.skip(steps); }
  // Takes over what may change between steps: batch, log and item intervals, learning rate,
  // momentum, precision of products, class weights, hard examples, drop_last, limits.
  void change(const TrainerOptions& options);

  const Loop& loop() const { return loop_; }
  // Steps that send as many scalars of their own as the newest; all_steps where all do.
  std::int64_t steps_alike_ahead() const;
  const Runtime& runtime() const { return runtime_; }
  const TrainerOptions& options() const { return options_; }
  const SplitDataset& data() const { return data_; }
  std::int64_t repeated_rows() const { return train_sampler_.repeated(); }
  std::int64_t rows_per_core() const { return train_sampler_.rows_per_core(); }
  std::string model_name() const { return options_.model.name(example_); }
  std::int64_t parameters() const { return parameter_count(parameters_); }
  const Machine& machine() const override { return runtime_.machine(); }
  const std::vector<DeviceGroup>& groups() const { return runtime_.groups(); }
  const std::vector<StepRecord>& records() const { return runtime_.records(); }
  Picoseconds now() const { return runtime_.now(); }
  std::vector<Picoseconds> clocks() const { return runtime_.clocks(); }
  // Of a device, its loader's batches included.
  Bytes hbm_used() const;
  // Where a run with numbers stands, between two steps.
  TrainerState state() const;
  // Goes on from there, in place of the beginning. Throws Error where check_fits() does.
  void restore(const TrainerState& state);
  // The newest weights, for tests.
  std::vector<Array> weights() const;

 private:
  struct State {
    BufferId weight = -1;
    std::vector<BufferId> moments;  // none before the step that makes them
  };
  // What outlives a step, and where its buffer is remembered.
  struct Kept {
    std::vector<Live> live;
    std::vector<BufferId*> places;

    void add(Tensor value, BufferId& place, std::string label = {}) {
      live.push_back({value, place, std::move(label)});
      places.push_back(&place);
    }
  };
  struct Batch {
    BufferId inputs = -1;
    BufferId labels = -1;
    bool last = false;  // fewer rows than the others
  };

  // The batches of one step, and the sum of their gradients so far: traced, and held where a cut
  // lies behind the newest. Or those of a validation, and the right answers among them.
  struct UnderWay {
    std::vector<Batch> batches;
    std::vector<Tensor> parameters;  // leaves of the graph that is being traced
    Tensor loss{};                   // of the newest batch
    std::vector<Tensor> gradients;
    std::vector<BufferId> held;
    Tensor hits{};
    BufferId total = -1;  // of the hits, where batches are apart
  };

  // What decides what a step without numbers does.
  struct StepKey {
    std::int64_t rows = 0;    // per core, of its batches; 0: an evaluation
    std::int64_t tokens = 0;  // of each, where their number changes
    bool first = false;       // makes the optimizer's state
    bool item = false;
    bool logged = false;
    std::int64_t turns = 0;
    bool keeps = false;
    bool saves = false;
    std::vector<bool> bars{};     // of each batch: whether the bar is refreshed behind it
    std::vector<double> scalars;  // of those that change, what they are if the program knows it
    std::vector<bool> sent;       // those that the host has sent already
    bool operator==(const StepKey&) const = default;
  };
  struct Remembered {
    StepKey key;
    KnownStep step;
    std::vector<double> changing;  // scalars of its update
  };

  // What the processes hold at first: from `saved`, or as the seed draws it; `moments` of each.
  void upload_model(std::span<const NamedArray> saved, std::size_t moments);
  std::size_t first_moments() const;
  const Habits& habits() const override { return options_.habits; }
  std::int64_t batch() const override { return options_.batch; }
  void begin(StepKind kind, std::int64_t rows) override;
  StepTimeline end() override { return runtime_.end_step(); }
  bool retell(StepKind kind, std::int64_t rows, StepReport& report) override;
  void remember() override;
  void load_training(std::int64_t first, std::int64_t rows) override;
  void load_validation(std::int64_t first, std::int64_t rows) override;
  void cut_nothing() override { runtime_.mark_empty_step(); }
  void trace_forward() override;
  void trace_backward() override;
  void read_batch_loss(const std::string& reader) override { runtime_.item(now_.loss, reader); }
  void hold_sums() override;
  void cut_update() override;
  void save() override;
  void read_loss() override { runtime_.item(loss_); }
  std::optional<float> loss() const override;
  void begin_validation(bool apart) override;
  void trace_validation() override;
  void cut_validation() override;
  double end_validation(std::int64_t rows, bool reads) override;
  void check_length(std::int64_t batches) override;
  StepTimeline restart() override;
  void release_batches();
  void note_saved();
  Array zeros(const Type& type) const;
  void fill(Array& inputs, Array& labels, const Dataset& data, std::span<const std::int64_t> rows,
            double scale) const;
  std::int64_t kept(std::int64_t rows) const;
  std::int64_t samples_of(StepKind kind, std::int64_t rows) const;  // over all cores
  // Of a row of the step under way, as long as the longest text of its batch.
  std::int64_t tokens_now() const;
  bool lengths_vary() const;
  Example example_of(const Tensor& inputs) const;
  void load(const Dataset& data, const Sampler& sampler, std::int64_t first, std::int64_t taken);
  std::vector<bool> bars_of_step(std::int64_t rows) const;
  StepKey key_of_step(std::int64_t rows) const;
  Draws random_of(std::int64_t step) const;
  std::vector<double> changing(std::int64_t step) const;
  // `labels` of a step that trains.
  Tensor traced_logits(Tensor inputs, std::span<const Tensor> parameters, Draws random,
                       Tensor labels = {});
  Tensor traced_loss(Tensor inputs, Tensor labels, std::span<const Tensor> parameters);
  Tensor weighted(Tensor rows, Tensor labels);
  Tensor weighted_from_cpu(Tensor rows);
  Tensor hard(Tensor rows);
  void keep_losses(Kept& kept);
  Kept traced_updates();
  std::vector<Tensor> parameter_leaves();

  TrainerOptions options_;
  SplitDataset data_;
  Example example_;
  std::vector<Parameter> parameters_;
  Runtime runtime_;
  Sampler train_sampler_;
  Sampler test_sampler_;
  Loop loop_;
  std::vector<State> states_;
  std::vector<NamedArray> saved_;  // while a restart lies ahead: the newest checkpoint
  BufferId loss_ = -1;
  std::vector<BufferId> constants_;  // made on the CPU in this step
  UnderWay now_{};
  StepKey key_{};              // of the step that begins
  Tensor losses_{};            // of the batch that is being traced, one for each row
  BufferId kept_losses_ = -1;  // those that the script holds on to
  std::vector<Remembered> remembered_;
};

}  // namespace tpulab
