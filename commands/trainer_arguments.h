// The arguments of Lightning's Trainer, in the order of its signature (2.5), and their part here.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tpulab {

struct TrainerArgument {
  enum class Part : std::uint8_t { setting, idle, elsewhere, read };
  std::string_view name;
  // setting: of the same name here; idle: changes neither what a run computes nor its time;
  // elsewhere: not emulated; read: has a rule of its own. `why`, or what is its neighbour here.
  Part part = Part::idle;
  std::string_view why{};
};

inline constexpr std::array<TrainerArgument, 41> trainer_arguments = [] {
  using enum TrainerArgument::Part;
  return std::to_array<TrainerArgument>({
      {"accelerator", setting},
      {"strategy", setting},
      {"devices", setting},
      {"num_nodes", read},
      {"precision", setting},
      {"logger", idle, "log_every_n_steps says how often a value is read for it"},
      {"callbacks", elsewhere, "no code of yours runs here; `help causes` has what they may cost"},
      {"fast_dev_run", read},
      {"max_epochs", setting},
      {"min_epochs", idle, "nothing here stops early, max_epochs or max_steps end a run"},
      {"max_steps", setting},
      {"min_steps", idle, "nothing here stops early, max_epochs or max_steps end a run"},
      {"max_time", elsewhere,
       "it stops by a clock that an emulated run does not share; max_steps or max_epochs end it"},
      {"limit_train_batches", setting},
      {"limit_val_batches", setting},
      {"limit_test_batches", idle, "fit alone runs; limit_val_batches is of its validation"},
      {"limit_predict_batches", idle, "fit alone runs"},
      {"overfit_batches", setting},
      {"val_check_interval", setting},
      {"check_val_every_n_epoch", setting},
      {"num_sanity_val_steps", setting},
      {"log_every_n_steps", setting},
      {"enable_checkpointing", idle,
       "one behind each epoch costs nothing here, save_every_n_steps those inside one"},
      {"enable_progress_bar", idle, "progress_bar on is a value logged with prog_bar=True"},
      {"enable_model_summary"},
      {"accumulate_grad_batches", setting},
      {"gradient_clip_val", setting},
      {"gradient_clip_algorithm", setting},
      {"deterministic", idle, "a run gives the same bits again"},
      {"benchmark", idle, "it chooses kernels of GPUs"},
      {"inference_mode"},
      {"use_distributed_sampler", elsewhere, "each core always sees its own share of the rows"},
      {"profiler", read},
      {"detect_anomaly"},
      {"barebones"},
      {"plugins", elsewhere, "no code of yours runs here"},
      {"sync_batchnorm", elsewhere, "each core normalises by its own rows"},
      {"reload_dataloaders_every_n_epochs", elsewhere, "the loaders stay as they are"},
      {"default_root_dir"},
      {"enable_autolog_hparams"},
      {"model_registry"},
  });
}();

}  // namespace tpulab
