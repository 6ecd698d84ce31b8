#include "engine/session/settings/lightning_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/machine/gpus.h"
#include "engine/machine/slice_search.h"
#include "engine/session/settings/python_literal.h"

namespace tpulab {

namespace {

using Kind = PythonLiteral::Kind;

constexpr std::string_view precisions_on_xla = "'32-true', '16-true', 'bf16-true'";

// What to type instead of refused devices.
std::string devices_instead(const Slice& slice) {
  const int n = slice.devices_per_host();
  const std::string_view word = slice.device_word();
  std::string text =
      n == 1 ? fmt::format("type `devices 1` for the only {}", word)
             : fmt::format(
                   "type `devices {}` for all {}s, `devices 1` for one, or `devices [{}]` "
                   "for the last one",
                   n, word, n - 1);
  if (slice.hosts > 1) {
    text += fmt::format(" ({} counts its {}s per host: {} on each of {} hosts, {} in all)",
                        slice.name, word, n, slice.hosts, slice.devices());
  }
  return text;
}

// As Lightning says it, each once.
std::string devices_that_may_be(int n) {
  if (n == 1) return "'auto', 1 or [0]";
  return fmt::format("'auto', 1, {} or [<0-{}>]", n, n - 1);
}

// "`slice v3-2048` has as many; " of a count that another one of this generation has.
std::string slice_instead(const PythonLiteral& devices, const Slice& slice) {
  if (!devices.integer) return {};
  const auto found = slice_with(*devices.integer, *slice.generation);
  const bool other = found && found->generation == slice.generation && found->name != slice.name;
  return other ? fmt::format("`slice {}` has as many; ", found->name) : std::string();
}

[[noreturn]] void refuse_type(const std::string& passed, const Slice& slice) {
  throw Error(
      fmt::format("Device IDs (GPU/TPU) must be an int, a string, a sequence of ints, but you "
                  "passed {}; {}",
                  passed, devices_instead(slice)));
}

void check_device_types(const PythonLiteral& devices, const Slice& slice) {
  if (devices.kind == Kind::none) refuse_type("None", slice);
  if (devices.sequence()) {
    for (const PythonLiteral& item : devices.items) {
      if (item.kind != Kind::integer) {
        refuse_type(fmt::format("a sequence of {}.", type_name(item)), slice);
      }
    }
  } else if (devices.kind != Kind::integer && devices.kind != Kind::text) {
    refuse_type(repr(devices) + ".", slice);
  }
}

// A str is a count if it is one number ("8"), else a list of indices ("1,").
PythonLiteral devices_from_text(const PythonLiteral& devices, const Slice& slice) {
  const std::string text(trimmed(devices.text));
  if (auto count = parse_python(text); count && count->kind == Kind::integer) return *count;
  PythonLiteral list;
  list.kind = Kind::list;
  for (const std::string& part : split(text, ',')) {
    if (part.empty()) continue;
    auto index = parse_python(part);
    if (!index || index->kind != Kind::integer) {
      throw Error(fmt::format("Could not parse the selected TPU devices: {}; {}",
                              repr(devices.text), devices_instead(slice)));
    }
    list.items.push_back(std::move(*index));
  }
  return list;
}

bool allowed(const PythonLiteral& devices, int n) {
  if (devices.kind == Kind::integer) return devices.integer == 1 || devices.integer == n;
  return devices.sequence() && devices.items.size() == 1 && devices.items[0].integer >= 0 &&
         devices.items[0].integer < n;
}

bool zero(const PythonLiteral& devices) {
  return (devices.kind == Kind::integer && devices.integer == 0) ||
         (devices.kind == Kind::text && devices.text == "0") ||
         (devices.kind == Kind::list && devices.items.empty());
}

// Class names as Lightning's registry has them, for "found DDPStrategy".
std::string_view strategy_class(std::string_view name) {
  if (name.starts_with("ddp")) return "DDPStrategy";
  if (name.starts_with("deepspeed")) return "DeepSpeedStrategy";
  if (name == "single_device") return "SingleDeviceStrategy";
  return {};
}

}  // namespace

std::string lightning_devices(std::string_view typed, const Slice& slice) {
  const std::string_view source = trimmed(typed);
  PythonLiteral devices;
  if (auto literal = parse_python(source)) {
    devices = std::move(*literal);
  } else {
    devices.kind = Kind::text;
    devices.text = std::string(source);
  }
  if (devices.kind == Kind::text && devices.text == "auto") return "auto";
  if (zero(devices)) {
    throw Error(fmt::format(
        "`Trainer(devices={})` value is not a valid input using tpu accelerator. Instead, {}",
        repr(devices), devices_instead(slice)));
  }
  check_device_types(devices, slice);
  if (devices.kind == Kind::text) devices = devices_from_text(devices, slice);
  const int n = slice.devices_per_host();
  if (!allowed(devices, n)) {
    throw Error(fmt::format("`devices` can only be {} for TPUs. Got {}; {}{}",
                            devices_that_may_be(n), repr(devices), slice_instead(devices, slice),
                            devices_instead(slice)));
  }
  if (devices.kind == Kind::integer) return std::to_string(*devices.integer);
  return fmt::format("[{}]", *devices.items[0].integer);
}

std::string lightning_accelerator(std::string_view typed) {
  const std::string_view name = trimmed(typed);
  if (name == "auto" || name == "tpu") return std::string(name);
  static constexpr std::string_view instead = "use accelerator tpu, or auto, which finds the TPU";
  if (name == "gpu") {
    throw Error(fmt::format("No supported gpu backend found! Instead, {}", instead));
  }
  if (name == "cuda" || name == "mps") {
    throw Error(fmt::format(
        "`{}Accelerator` can not run on your system since the accelerator is not available. The "
        "following accelerator(s) is available and can be passed into `accelerator` argument of "
        "`Trainer`: ['cpu', 'tpu']. Here only TPUs are emulated: {}",
        name == "cuda" ? "CUDA" : "MPS", instead));
  }
  if (name == "cpu") {
    throw Error(
        fmt::format("accelerator 'cpu' is not emulated: every run is one on a TPU; {}", instead));
  }
  throw Error(fmt::format(
      "You selected an invalid accelerator name: `accelerator={}`. Available names are: auto, "
      "cpu, cuda, mps, tpu. Names are case-sensitive: {}",
      repr(name), instead));
}

std::string lightning_strategy(std::string_view typed) {
  std::string name = lowered(trimmed(typed));
  if (std::ranges::find(lightning_strategies, name) != lightning_strategies.end()) return name;
  if (name == "single_tpu") return "single_xla";  // Lightning's deprecated name
  static constexpr std::string_view instead =
      "use auto, which takes xla for several cores and single_xla for one";
  if (name.starts_with("fsdp")) {
    throw Error(fmt::format(
        "You selected strategy to be `fsdp`, but GPU accelerator is not used. Instead, {}",
        instead));
  }
  if (const std::string_view found = strategy_class(name); !found.empty()) {
    throw Error(
        fmt::format("The `XLAAccelerator` can only be used with a "
                    "`SingleDeviceXLAStrategy` or `XLAStrategy`, found {}. Instead, {}",
                    found, instead));
  }
  throw Error(fmt::format(
      "You selected an invalid strategy name: `strategy={}`. It must be either a string or an "
      "instance of `lightning.pytorch.strategies.Strategy`. Instead, {}",
      repr(name), instead));
}

std::string lightning_precision(std::string_view typed, bool of_lightning) {
  std::string name(trimmed(typed));
  if (name == "32-true" || name == "32") return "32-true";
  if (name == "bf16-true" || name == "16-true") return name;
  if (!of_lightning) {
    throw Error(
        fmt::format("{} is no precision of this stack; use 32-true, bf16-true, or "
                    "bf16-mixed (f32 weights, bf16 products)",
                    name));
  }
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 8> refused{{
      {"16", "16-mixed"},
      {"16-mixed", "16-mixed"},
      {"bf16", "bf16-mixed"},
      {"bf16-mixed", "bf16-mixed"},
      {"64", "64-true"},
      {"64-true", "64-true"},
      {"transformer-engine", "transformer-engine"},
      {"transformer-engine-float16", "transformer-engine-float16"},
  }};
  const auto row =
      std::ranges::find(refused, name, &std::pair<std::string_view, std::string_view>::first);
  if (row == refused.end()) {
    throw Error(fmt::format(
        "Precision {} is invalid. Allowed precision values: ('transformer-engine', "
        "'transformer-engine-float16', '16-true', '16-mixed', 'bf16-true', 'bf16-mixed', "
        "'32-true', '64-true', 64, 32, 16, '64', '32', '16', 'bf16'). On TPU use 32-true or "
        "bf16-true",
        repr(name)));
  }
  const bool wide = row->second == "64-true";
  throw Error(fmt::format(
      "`precision='{}')` is not supported in XLA. `precision` must be one of: ({}). Use {}",
      row->second, precisions_on_xla,
      wide ? "32-true"
           : "bf16-true, which needs no loss scale (16-true stays f32); bf16-mixed is there on "
             "other stacks, such as stack jax"));
}

void check_strategy_fits(const Settings& settings) {
  const auto world = chosen_devices(settings).size();
  const bool parallel = settings.strategy == "xla" || settings.strategy == "xla_debug";
  if (parallel && world == 1) {
    throw Error(
        "The `XLAStrategy` does not support running on a single device with the PjRt runtime. Try "
        "using all devices or the `SingleDeviceXLAStrategy` strategy: `strategy auto` takes it");
  }
  if (settings.strategy == "single_xla" && world > 1) {
    throw Error(
        fmt::format("strategy single_xla trains on one device, devices {} is {}; choose "
                    "one first (`devices 1`) or use `strategy auto`",
                    settings.devices, world));
  }
}

int lightning_num_devices(const Settings& settings) {
  return std::min(static_cast<int>(chosen_devices(settings).size()),
                  slice_named(settings.slice).devices_per_host());
}

std::vector<int> chosen_devices(const Settings& settings) {
  if (reads_as_gpus(settings.slice)) {
    std::vector<int> gpus(static_cast<std::size_t>(gpus_named(settings.slice).count));
    std::iota(gpus.begin(), gpus.end(), 0);
    return gpus;
  }
  const Slice slice = slice_named(settings.slice);
  const std::string& devices = settings.devices;
  if (devices.starts_with('[')) {
    int index = 0;
    std::from_chars(devices.data() + 1, devices.data() + devices.size(), index);
    return {index};
  }
  std::vector<int> all(static_cast<std::size_t>(slice.devices()));
  std::iota(all.begin(), all.end(), 0);
  if (devices == "1" && slice.devices_per_host() > 1) all.resize(1);
  return all;
}

}  // namespace tpulab
