#include "engine/session/settings/imported_models.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/random_bits.h"
#include "engine/base/text.h"
#include "engine/formats/hlo/compiled_step.h"
#include "engine/formats/hlo/parser.h"
#include "engine/formats/huggingface/config_text.h"
#include "engine/formats/stablehlo/executed_step.h"
#include "engine/formats/stablehlo/stablehlo_step.h"

namespace tpulab {

namespace {

constexpr std::size_t largest_text = std::size_t{256} << 20;  // constants may be written in full

// "step.mlir" -> "step.safetensors"
std::string values_of(const std::string& model) {
  return std::filesystem::path(model).replace_extension(".safetensors").string();
}

bool has_values(const std::string& model) {
  std::error_code none;
  return model.ends_with(".mlir") && std::filesystem::is_regular_file(values_of(model), none);
}

// A program or a network.
struct ModelFile {
  std::shared_ptr<const ImportedStep> program{};
  std::shared_ptr<const ConfiguredNetwork> network{};
  std::uint64_t contents = 0;
  std::shared_ptr<const std::string> text{};  // if it is read again: for other rows, or computed
  std::string not_computed{};                 // why the numbers beside it are of no use
};

// One of each name; replays ask from their own threads.
class Known {
 public:
  std::optional<ModelFile> find(const std::string& name) {
    const std::lock_guard lock(mutex_);
    const auto found = files_.find(name);
    if (found == files_.end()) return std::nullopt;
    return found->second;
  }
  void keep(const std::string& name, ModelFile file) {
    constexpr std::size_t most = 64;
    const std::lock_guard lock(mutex_);
    if (files_.size() >= most) {
      const auto rows = std::ranges::find_if(
          files_, [](const auto& one) { return one.first.find('\n') != std::string::npos; });
      files_.erase(rows != files_.end() ? rows : files_.begin());
    }
    files_[name] = std::move(file);
  }

 private:
  std::mutex mutex_;
  std::map<std::string, ModelFile> files_;
};

Known& known() {
  static Known all;
  return all;
}

// What is neither is told by its name what it should have been.
bool is_config(std::string_view text, std::string_view name) {
  const bool program = text.find("func.func") != std::string_view::npos;
  return begins_as_json(text) || (name.ends_with(".json") && !program);
}

// Forms of a step that JAX has beside the text that is read here.
void refuse_other_forms(std::string_view text, std::string_view name) {
  constexpr std::string_view bytecode = "ML\xefR";
  if (text.starts_with(bytecode)) {
    throw Error(
        fmt::format("{} is MLIR bytecode, which is not read here; write the text: "
                    "exported.mlir_module() of jax.export, lowered.as_text() of jax.jit",
                    name));
  }
  const std::string_view begin = trimmed(text.substr(0, 4096));
  const std::size_t brace = begin.find('{');
  const bool named = brace == 0 || begin.starts_with("let ");
  const bool jaxpr = named && brace != std::string_view::npos &&
                     trimmed(begin.substr(brace + 1)).starts_with("lambda");
  if (!jaxpr) return;
  throw Error(
      fmt::format("{} is a jaxpr, which JAX has before it lowers a step; write what the compiler "
                  "is given: jax.jit(step).lower(...).as_text(), see `help import`",
                  name));
}

ModelFile read(const std::string& name) {
  ModelFile file;
  std::string text = read_file(name, largest_text);
  refuse_other_forms(text, name);
  Fnv contents;
  contents.add(text);
  file.contents = contents.value;
  if (is_config(text, name)) {
    file.network = std::make_shared<const ConfiguredNetwork>(read_network_config(text, name));
  } else {
    // An open size stands as ?.
    const bool computed = has_values(name);
    if (computed || text.find('?') != std::string::npos) {
      file.text = std::make_shared<const std::string>(text);
    }
    file.program = std::make_shared<const ImportedStep>(
        hlo::is_hlo(text) ? import_hlo(std::move(text), name)
                          : import_stablehlo(std::move(text), name, usual_rows));
    if (!file.program->open && !computed) file.text = nullptr;
    if (!file.program->open && computed) {
      file.not_computed = why_not_executed(*file.text, name);
    }
  }
  known().keep(name, file);
  return file;
}

// Of the text that was read with the usual rows, whatever the file holds by now.
std::shared_ptr<const ImportedStep> with_rows(const std::string& name, const ModelFile& file,
                                              std::int64_t rows) {
  const std::string key = fmt::format("{}\n{}\n{}", name, rows, fmt::ptr(file.text.get()));
  if (const auto other = known().find(key)) return other->program;
  ModelFile other{.text = file.text};
  other.program = std::make_shared<const ImportedStep>(import_stablehlo(*file.text, name, rows));
  known().keep(key, other);
  return other.program;
}

ModelFile file_of(const std::string& name) {
  const auto file = known().find(name);
  return file ? *file : read(name);
}

// Read again where its values came later.
ModelFile with_values(const std::string& name) {
  ModelFile file = file_of(name);
  return file.text == nullptr ? read(name) : file;
}

std::string network_meaning(const ConfiguredNetwork& network) {
  std::string text = fmt::format("{}, {}; {} parameters", network.kind, network.sizes,
                                 text_with_commas(network.parameters));
  const Shape& row = network.network.row.row;
  if (network.network.of_tokens != nullptr) {
    text += fmt::format("; rows of {} tokens", text_with_commas(row.at(-1)));
  }
  if (!network.notes.empty()) text += fmt::format("; {}", fmt::join(network.notes, ", "));
  return text;
}

// Of StableHLO parameters and operations are those of all devices together, the rest of one.
std::string sizes_of(const ImportedStep& step) {
  const bool divided = step.devices > 1;
  const auto products = static_cast<double>(step.flops.value);
  std::string text;
  if (const std::int64_t parameters = step.work.parameters()) {
    text = fmt::format("{} parameters{}, ", text_with_commas(parameters), divided ? " in all" : "");
  }
  text += count_with(step.operations, "operation");
  text += divided ? fmt::format("; made for {} devices, each of which has {}", step.devices,
                                count_with(step.kernels, "kernel"))
                  : fmt::format(" in {}", count_with(step.kernels, "kernel"));
  return text + fmt::format(
                    ", {} in products and convolutions a step{} {} of arguments {}come back "
                    "changed",
                    products > 0 ? text_of_count(products) : "none", divided ? " and" : ";",
                    text_of(step.state), divided ? "that " : "");
}

constexpr std::array<std::string_view, 5> endings{".mlir", ".stablehlo", ".hlo", ".txt", ".json"};

constexpr std::string_view time_alone =
    "; time only: `forecast` answers at once, `numbers off` lets it run";

}  // namespace

bool names_file(std::string_view model) {
  return std::ranges::any_of(endings, [&](std::string_view ending) {
    return model.size() > ending.size() && model.ends_with(ending);
  });
}

std::string read_config_in_folder(std::string_view model) {
  std::error_code failed;
  if (std::filesystem::is_regular_file(model, failed)) {
    throw Error(fmt::format("{} is a file, and files of models end in {}; rename it", model,
                            fmt::join(endings, ", ")));
  }
  if (!std::filesystem::is_directory(model, failed)) return {};
  std::string config = (std::filesystem::path(model) / "config.json").string();
  if (!std::filesystem::is_regular_file(config, failed)) {
    throw Error(fmt::format("{} is a folder that holds no config.json; name a file in it", model));
  }
  read_model_file(config);
  return config;
}

void read_model_file(const std::string& name) { read(name); }

std::uint64_t known_contents(const std::string& model) {
  const auto file = names_file(model) ? known().find(model) : std::nullopt;
  return file ? file->contents : 0;
}

bool names_program(const std::string& model) {
  return names_file(model) && file_of(model).program != nullptr;
}

std::shared_ptr<const ImportedStep> model_file(const std::string& name, std::int64_t rows) {
  const ModelFile file = file_of(name);
  if (file.program == nullptr) throw Error(fmt::format("{} is a network and no program", name));
  const bool as_read = !file.program->open || rows == usual_rows;
  return as_read ? file.program : with_rows(name, file, rows);
}

bool has_open_batch(const std::string& model) {
  return names_program(model) && model_file(model)->open;
}

std::shared_ptr<const ConfiguredNetwork> configured_network(const std::string& model) {
  return names_file(model) ? file_of(model).network : nullptr;
}

Workload workload_of(const std::string& model) {
  const auto network = configured_network(model);
  return network != nullptr ? Workload{model, network->network} : workload_named(model);
}

std::shared_ptr<const GivenStep> given_step(const std::string& name, std::int64_t rows) {
  const auto step = model_file(name, rows);
  return std::make_shared<const GivenStep>(
      GivenStep{step->work, step->inputs, step->stays, std::max<std::int64_t>(step->rows, 1),
                step->alike, step->exchanging, step->devices, step->trains});
}

std::function<float()> executed_losses(const std::string& name, WorkerPool& workers) {
  if (!has_numbers(name)) return {};
  const std::string values = values_of(name);
  const ModelFile file = with_values(name);
  auto step = std::make_shared<ExecutedStep>(
      *file.text, name, parse_safetensors(read_file(values, largest_text), values), &workers);
  return [step] { return step->advance(); };
}

bool has_numbers(const std::string& model) {
  return has_values(model) && names_program(model) && !model_file(model)->open;
}

std::string file_meaning(const std::string& name) {
  if (const auto network = configured_network(name)) {
    return network_meaning(*network) + std::string(time_alone);
  }
  const auto step = model_file(name);
  std::string text = sizes_of(*step);
  if (!step->trains) {
    text += "; it trains nothing: a call, all arguments of which stay on the device";
  }
  if (step->open) text += fmt::format("; its batch is open, read as {} rows here", step->rows);
  if (!step->notes.empty()) text += fmt::format("; {}", fmt::join(step->notes, ", "));
  if (!has_numbers(name)) return text + std::string(time_alone);
  const ModelFile file = with_values(name);
  if (file.not_computed.empty()) {
    return fmt::format("{}; `run` computes it from {}", text, values_of(name));
  }
  return fmt::format("{}{}; {} is of no use: {}", text, time_alone, values_of(name),
                     file.not_computed);
}

std::string file_batch_text(const std::string& name, std::int64_t world, std::int64_t asked) {
  const auto step = model_file(name, asked);
  const std::int64_t rows = step->rows;
  const std::int64_t groups = std::max<std::int64_t>(world / step->alike, 1);
  std::string once = step->trains ? "1 step" : "1 call";
  if (rows == 0 && world == 1) return once;
  if (rows == 0 && groups == 1) return fmt::format("{} on all {} devices", once, world);
  if (rows == 0) {
    const std::string own = step->alike > 1 ? fmt::format(" {}", step->alike) : "";
    return fmt::format("{} on each{} of {} devices", once, own, world);
  }
  return fmt::format("{} x {} = {} global", rows, groups, rows * groups);
}

}  // namespace tpulab
