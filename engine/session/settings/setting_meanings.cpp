#include "engine/session/settings/setting_meanings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <mutex>
#include <utility>

#include "engine/base/text.h"
#include "engine/forecast/mesh.h"
#include "engine/forecast/single_kernel.h"
#include "engine/forecast/step_kernels.h"
#include "engine/machine/machine.h"
#include "engine/machine/price.h"
#include "engine/session/settings/gpu_settings.h"
#include "engine/session/settings/imported_models.h"
#include "engine/session/settings/memory_check.h"
#include "engine/session/settings/no_effect.h"
#include "engine/session/settings/own_data_files.h"
#include "engine/session/settings/plan.h"
#include "engine/training/networks/networks.h"

namespace tpulab {

namespace {

std::string ordinal(int number) {
  const int teens = number % 100;
  if (teens >= 11 && teens <= 13) return fmt::format("{}th", number);
  static constexpr std::array endings{"th", "st", "nd", "rd"};
  const auto last = static_cast<std::size_t>(number % 10);
  return fmt::format("{}{}", number, last < endings.size() ? endings[last] : "th");
}

// Of a program of JAX on a stack that traces each step; else empty.
std::string traced_once(const Settings& settings) {
  if (!names_program(settings.model) || !model_file(settings.model)->of_jax) return {};
  if (!stack_named(settings.stack).traces_each_step()) return {};
  return fmt::format("; it is of JAX, which traces it once: `stack jax` ({} traces each step)",
                     settings.stack);
}

std::string unlearned_positions(const Settings& settings) {
  if (!is_named(settings) || settings.sequence == 0) return {};
  if (names_kernel(settings.model) || names_program(settings.model)) return {};
  const std::int64_t learned = workload_of(settings.model).network.positions;
  if (learned == 0 || settings.sequence <= learned) return {};
  return fmt::format("{} has {} learned positions: for {} tokens its table is made longer",
                     settings.model, text_with_commas(learned),
                     text_with_commas(settings.sequence));
}

std::string not_counted(const Settings& settings) {
  if (!is_named(settings) || settings.loader_row_us > 0) return {};
  if (names_kernel(settings.model) || names_program(settings.model)) return {};
  const Shape row = workload_of(settings.model).network.row.row;
  if (row.rank() != 3 || row.at(-1) != 3) return {};
  return "not counted: decoding images (JPEG) on the host; loader_row_us says how long one takes";
}

std::string crosses_hbm(const Settings& settings) {
  const std::int64_t tokens = tokens_not_fused(settings);
  if (tokens == 0) return {};
  return fmt::format(
      "attention of {} tokens: its scores cross HBM, as its kernel takes whole blocks of {}, or {} "
      "tokens and more, which are padded; attention fused pads these too",
      text_with_commas(tokens), lane_count, text_with_commas(Tracing::worth_padding));
}

bool has_product(const StepWork& work, bool MatrixWork::*of) {
  for (const Block& block : work.blocks) {
    for (const NamedKernel& kernel : block.forward) {
      for (const Work& item : kernel.work->items) {
        const auto* const product = std::get_if<MatrixWork>(&item);
        if (product != nullptr && product->*of) return true;
      }
    }
  }
  return false;
}

// A good part of what it multiplies are windows, with images in the sublanes: products of 1 x 1 do
// not show whether they have images there.
bool convolves(const StepWork& work) {
  double all = 0;
  double of_images = 0;
  for (const Block& block : work.blocks) {
    for (const NamedKernel& kernel : block.forward) {
      for (const Work& item : kernel.work->items) {
        const auto* const product = std::get_if<MatrixWork>(&item);
        if (product == nullptr) continue;
        const double flops = static_cast<double>(product->flops().value * block.repeats);
        all += flops;
        if (product->images > 0 && !product->batch_in_lanes) of_images += flops;
      }
    }
  }
  return 4 * of_images > all;
}

// Asked once of each network: rows of its name are many.
bool convolves(const std::string& model) {
  static std::mutex mutex;
  static std::map<std::string, bool, std::less<>> known;
  const std::lock_guard lock(mutex);
  const auto found = known.find(model);
  if (found != known.end()) return found->second;
  constexpr std::int64_t some = 32;
  return known.emplace(model, convolves(step_work(workload_of(model), {.batch = some})))
      .first->second;
}

// XLA lays convolutions so, also where another side would pad less [TPU compiler, v6e:
// bf16[17,56,56,64]{3,0,2,1:T(8,128)(2,1)}].
std::string padded_images(const Settings& settings) {
  if (!is_named(settings) || settings.devices_a_row > 1) return {};
  if (names_kernel(settings.model) || names_file(settings.model)) return {};
  if (mesh_named(settings.mesh) != Mesh() || !convolves(settings.model)) return {};
  const std::int64_t held = padded_rows(settings.batch, compute_of(forecast_request(settings)));
  if (settings.batch <= sublane_count || 10 * held <= 11 * settings.batch) return {};
  return fmt::format(
      "{} images a device: convolutions lay them in blocks of {}, so they hold and move {}; {} or "
      "{} fill them",
      settings.batch, sublane_count, held, held - sublane_count, held);
}

// An array by itself lies where it pads least (forecast/kernels.h).
std::string copied_by_itself(const Settings& settings) {
  if (!names_kernel(settings.model) || !settings.model.starts_with("conv-")) return {};
  const StepWork work = kernel_step(settings.model, {});
  const auto copies = [](const NamedKernel& kernel) {
    return kernel.name == "copy to another layout";
  };
  if (std::ranges::none_of(work.blocks.front().forward, copies)) return {};
  return "copied and back: where columns pad no more than images do, an array by itself lies row "
         "by row, and the window wants its images together, as they lie in a network";
}

std::string not_counted_of_files(const Settings& settings) {
  if (!is_named(settings)) return {};
  const bool writes = settings.save_every_n_steps > 0;
  if (settings.preempt != "none") {
    return fmt::format("not counted: {}reading the checkpoint back, and the wait for another slice",
                       writes ? "writing checkpoints to storage, " : "");
  }
  if (!writes) return {};
  return "not counted: writing checkpoints to storage; a step waits until its values are read";
}

// Narrow operands that it multiplies: a program says so itself, whatever is set.
std::string_view narrow_operands(const Settings& settings) {
  if (!is_named(settings)) return {};
  if (!names_program(settings.model)) return settings.quant == "int8" ? "int8" : "";
  const auto program = model_file(settings.model);
  if (has_product(program->work, &MatrixWork::quantised)) return "int8";
  return has_product(program->work, &MatrixWork::fp8) ? "fp8" : "";
}

// pytorch/xla #9094.
std::string read_back(const Settings& settings) {
  const bool traced = stack_named(settings.stack).traces_each_step();
  if (settings.cache_persistent == "off" || !traced) return {};
  return "cache_persistent: programs are read back here, as PyTorch/XLA up to 2.9 cannot on a TPU";
}

}  // namespace

std::int64_t world_of(const Settings& settings) {
  return static_cast<std::int64_t>(chosen_devices(settings).size());
}

std::string_view generation_of(const Settings& settings) {
  return slice_named(settings.slice).generation->name;
}

// Kernels have no rows.
std::string kind_of_named(const Settings& settings) {
  if (!names_workload(settings.model)) return "one kernel or layer";
  const Example row = workload_of(settings.model).network.row;
  return "rows of " + text_of(row.dtype, row.row);
}

std::string model_meaning(const Settings& settings) {
  if (!is_named(settings)) {
    return fmt::format("{}, {} parameters, trained on {}", model_title(settings),
                       text_with_commas(parameter_count(settings)), dataset_of(settings).name);
  }
  if (names_file(settings.model)) return file_meaning(settings.model) + traced_once(settings);
  std::string text =
      fmt::format("time only, {}: forecast and compare answer at once, `numbers off` lets it run",
                  kind_of_named(settings));
  if (trained_model(settings.model, {})) text += "; data digits trains it on 8 x 8 images";
  return text;
}

std::string data_meaning(const Settings& settings) {
  const Dataset& data = dataset_of(settings);
  if (names_data_file(settings.data)) {
    const bool text = data.dtype == DType::s32;
    return fmt::format("{}; {}, {} to train with", found_in_data_file(settings.data),
                       text ? "rows in their order" : "rows shuffled once",
                       text_with_commas(data.training_rows));
  }
  return fmt::format("{} rows of {}, {} classes, {} to train with", text_with_commas(data.rows()),
                     data.name, data.classes, text_with_commas(data.training_rows));
}

std::string host_meaning(const Settings& settings) {
  return std::string(host_named(settings.host).about);
}

std::string stack_meaning(const Settings& settings) {
  return std::string(stack_named(settings.stack).about);
}

std::string slice_meaning(const Settings& settings) {
  if (on_gpus(settings)) return gpus_in_words(settings);
  const Slice slice = slice_named(settings.slice);
  return fmt::format("{} on {}, {} of HBM each", count_with(slice.devices(), slice.device_word()),
                     count_with(slice.hosts, "host"), text_of(slice.hbm_per_device()));
}

std::string devices_meaning(const Settings& settings) {
  if (on_gpus(settings)) return "all of " + settings.slice;
  const Slice slice = slice_named(settings.slice);
  const std::string_view word = slice.device_word();
  const auto chosen = chosen_devices(settings);
  if (chosen.size() > 1) {
    std::string text = fmt::format("all {} {}s of {}", chosen.size(), word, slice.name);
    if (slice.hosts > 1) text += fmt::format(" ({} on each host)", slice.devices_per_host());
    return text;
  }
  return fmt::format("{} {} (the {} of {})", word, chosen.front(), ordinal(chosen.front() + 1),
                     slice.devices());
}

std::string backend_meaning(const Settings& settings) {
  return "products by " + products_text(settings);
}

std::string peak_meaning(const Settings& settings) {
  const std::string_view narrow = narrow_operands(settings);
  if (narrow.empty()) return "bf16 peak";
  const Generation& generation = *slice_named(settings.slice).generation;
  const Constant& speed = narrow == "int8" ? generation.int8_speed : generation.fp8_speed;
  if (speed <= 1) return "bf16 peak";
  return fmt::format("bf16 peak (that of {} is {:g} times as high{})", narrow, speed.value,
                     speed.mark == Mark::assumed ? ", assumed" : "");
}

std::string short_epoch(const Settings& settings) {
  const std::int64_t each = rows_per_device(settings);
  if (!rows_of_an_epoch(settings) || settings.batch <= each) return {};
  return fmt::format("an epoch has only {} per device", count_with(each, "row"));
}

std::vector<std::string> said_of_estimate(const Settings& settings) {
  std::vector<std::string> said;
  if (on_gpus(settings)) return said;
  for (std::string& note :
       std::array{unlearned_positions(settings), not_counted(settings), crosses_hbm(settings),
                  padded_images(settings), copied_by_itself(settings),
                  not_counted_of_files(settings), read_back(settings)}) {
    if (!note.empty()) said.push_back(std::move(note));
  }
  return said;
}

std::string copies_note(const Settings& settings) {
  if (on_gpus(settings) || !names_program(settings.model)) return {};
  const auto step = model_file(settings.model);
  if (!step->trains || step->exchanging > 1 || chosen_devices(settings).size() < 2) return {};
  return fmt::format(
      "{}: several devices run copies of the step that exchange nothing, no gradients either",
      settings.model);
}

std::string batch_meaning(const Settings& settings) {
  std::string text = batch_text(settings);
  const std::string cut = short_epoch(settings);
  if (cut.empty()) return text;
  text += ", but " + cut;
  const auto rows = rows_of_an_epoch(settings);
  const std::int64_t all = rows_per_device(settings) * std::ssize(chosen_devices(settings));
  if (10 * (all - *rows) <= all) return text;  // the sampler repeats a few
  return text + fmt::format(": {} of {} are repeats", text_with_commas(all - *rows),
                            text_with_commas(all));
}

std::string hidden_meaning(const Settings& settings) {
  return fmt::format("{}, {} parameters", model_title(settings),
                     text_with_commas(parameter_count(settings)));
}

std::string matmul_meaning(const Settings& settings) {
  if (settings.precision.starts_with("bf16")) {
    return fmt::format("operands are bf16 in {}: another program of the same numbers and time",
                       settings.precision);
  }
  if (settings.matmul_precision == "high") return "3 bf16 passes per product";
  if (settings.matmul_precision == "highest") return "6 bf16 passes per product, close to f32";
  return "1 bf16 pass per product, sums in f32";
}

// Scalars are inputs of a program, but 0, 1 and -1 are compiled in.
std::string compiled_in(double value) {
  const bool special = value == 0 || value == 1;
  return special
             ? fmt::format("{:g} is compiled in, so the next step recompiles unless it is cached",
                           value)
             : "";
}
std::string constant_rate(const Settings& settings) { return compiled_in(settings.learning_rate); }
std::string constant_momentum(const Settings& settings) {
  if (!is_named(settings)) return compiled_in(settings.momentum);
  return "sgd keeps no state";
}

std::string show_epochs(const Settings& settings) {
  return settings.max_epochs == 0 ? "auto" : std::to_string(settings.max_epochs);
}

std::string epochs_meaning(const Settings& settings) {
  if (settings.max_epochs != 0) return {};
  if (settings.max_steps >= 0) return "as many as max_steps takes";
  if (!is_named(settings)) return count_with(epochs_of(settings), "epoch");
  return count_with(usual_steps, "step");
}

std::string numbers_for_workers(const Settings& settings) {
  return settings.workers == 0 ? "one thread per CPU" : count_with(settings.workers, "thread");
}

std::string show_global_batch(const Settings& settings) {
  return std::to_string(global_batch(settings));
}

}  // namespace tpulab
