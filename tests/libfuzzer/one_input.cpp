// One parser as libFuzzer calls it, `libfuzzer --parser=hlo FOLDERS`: any bytes are read, or
// refused with an Error, in memory of 20 times their size and what a refusal needs.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sanitizer/allocator_interface.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "commands/lessons/lesson.h"
#include "engine/base/error.h"
#include "engine/evidence/points.h"
#include "engine/formats/data/gzip.h"
#include "engine/formats/data/own_data.h"
#include "engine/formats/hlo/compiled_step.h"
#include "engine/formats/huggingface/network_config.h"
#include "engine/formats/report_reader.h"
#include "engine/formats/safetensors.h"
#include "engine/formats/script_reader.h"
#include "engine/formats/stablehlo/stablehlo_step.h"
#include "engine/machine/own_generations.h"
#include "tests/temporary_folder.h"

namespace tpulab {
namespace {

using Parser = std::function<void(const std::string& bytes)>;

constexpr std::int64_t small_input_bytes = 8 << 20;  // for tables that are made once, and messages

// .npy, IDX, CIFAR and tables tell by their first bytes, plain text by its name alone.
void read_data(const std::string& bytes) {
  for (const char* const name : {"own.data", "own.txt"}) {
    try {
      read_own_data({name, unpacked(bytes, name, 20 * bytes.size())}, std::nullopt);
    } catch (const Error&) {
      continue;
    }
  }
}

void read_slice(const std::string& bytes) {
  static const test::TemporaryFolder folder;
  const std::array<std::filesystem::path, 1> folders{folder.path()};
  folder.write("slices.d/mine.toml", bytes);
  read_own_generations(folders);
}

const std::map<std::string_view, Parser>& parsers() {
  static const std::map<std::string_view, Parser> all{
      {"stablehlo", [](const std::string& bytes) { import_stablehlo(bytes, "f", 32); }},
      {"hlo", [](const std::string& bytes) { import_hlo(bytes, "f"); }},
      {"config", [](const std::string& bytes) { read_network_config(bytes, "f"); }},
      {"safetensors", [](const std::string& bytes) { parse_safetensors(bytes, "f"); }},
      {"data", read_data},
      {"points", [](const std::string& bytes) { parse_points(bytes, "f"); }},
      {"slice", read_slice},
      {"lesson", [](const std::string& bytes) { parse_lesson(bytes, "f"); }},
      {"script", [](const std::string& bytes) { read_script(bytes, "f"); }},
      {"report", [](const std::string& bytes) { read_metrics_report(bytes, "f"); }},
  };
  return all;
}

const Parser* chosen = nullptr;
std::atomic<std::int64_t> held{0};
std::atomic<std::int64_t> most_held{0};

void took(const volatile void*, std::size_t bytes) {
  const std::int64_t now = held += static_cast<std::int64_t>(bytes);
  if (now > most_held) most_held = now;
}

void gave_back(const volatile void* memory) {
  if (memory == nullptr) return;
  held -=
      static_cast<std::int64_t>(__sanitizer_get_allocated_size(const_cast<const void*>(memory)));
}

}  // namespace
}  // namespace tpulab

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  constexpr std::string_view flag = "--parser=";
  for (int i = 1; i < *count; ++i) {
    const std::string_view argument = (*arguments)[i];
    if (!argument.starts_with(flag)) continue;
    const auto found = tpulab::parsers().find(argument.substr(flag.size()));
    if (found != tpulab::parsers().end()) tpulab::chosen = &found->second;
  }
  if (tpulab::chosen == nullptr) {
    fmt::print(stderr, "libfuzzer: --parser= takes one of");
    for (const auto& [name, parser] : tpulab::parsers()) fmt::print(stderr, " {}", name);
    fmt::print(stderr, "\n");
    std::exit(2);
  }
  __sanitizer_install_malloc_and_free_hooks(tpulab::took, tpulab::gave_back);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::int64_t before = tpulab::held;
  tpulab::most_held = before;
  try {
    (*tpulab::chosen)(std::string(reinterpret_cast<const char*>(data), size));
  } catch (const tpulab::Error&) {
    return 0;
  }
  const std::int64_t more = tpulab::most_held - before;
  if (more > 20 * static_cast<std::int64_t>(size) + tpulab::small_input_bytes) {
    fmt::print(stderr, "libfuzzer: {} bytes of memory for {} of input\n", more, size);
    std::abort();
  }
  return 0;
}
