#include "engine/forecast/mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

std::string in_full(const Mesh& mesh) {
  std::string text = fmt::format("slices {} x data {} x fsdp {} x tensor {}", mesh.slices,
                                 mesh.data, mesh.fsdp, mesh.tensor);
  if (mesh.expert > 1) text += fmt::format(" x expert {}", mesh.expert);
  if (mesh.context > 1) text += fmt::format(" x context {}", mesh.context);
  if (mesh.pipeline > 1) text += fmt::format(" x pipeline {}", mesh.pipeline);
  return text;
}

struct MeshPart {
  std::string_view name;
  int Mesh::*extent;
};
constexpr std::array<MeshPart, 8> mesh_parts{{{"slices", &Mesh::slices},
                                              {"data", &Mesh::data},
                                              {"fsdp", &Mesh::fsdp},
                                              {"tensor", &Mesh::tensor},
                                              {"expert", &Mesh::expert},
                                              {"context", &Mesh::context},
                                              {"pipeline", &Mesh::pipeline},
                                              {"microbatches", &Mesh::microbatches}}};

[[noreturn]] void refuse_mesh(std::string_view text, const std::string& what) {
  throw Error(
      fmt::format("mesh '{}' {}; write auto, or parts of slices, data, fsdp, tensor, expert, "
                  "context, pipeline and microbatches such as "
                  "fsdp=8/tensor=4",
                  text, what));
}

// No slice has so many devices; products of parts up to here overflow nowhere.
constexpr std::int64_t most_devices = 1 << 22;

void check_size(const Mesh& mesh, std::string_view text) {
  std::int64_t devices = 1;
  for (const MeshPart& part : mesh_parts) {
    const std::int64_t extent = std::max(mesh.*part.extent, 1);
    if (part.extent != &Mesh::microbatches) devices *= extent;
    if (devices > most_devices || extent > most_devices) {
      refuse_mesh(text, fmt::format("asks for more than {}", text_with_commas(most_devices)));
    }
  }
}

// "fsdp=8", "fsdp:8" or "fsdp8".
void read_part(Mesh& mesh, std::string_view word, std::string_view text) {
  const std::size_t letters =
      std::min(word.find_first_not_of("abcdefghijklmnopqrstuvwxyz"), word.size());
  const std::string_view name = word.substr(0, letters);
  std::string_view digits = word.substr(letters);
  if (digits.starts_with('=') || digits.starts_with(':')) digits.remove_prefix(1);
  const auto* const part = std::ranges::find(mesh_parts, name, &MeshPart::name);
  if (part == mesh_parts.end()) refuse_mesh(text, fmt::format("has no part '{}'", word));
  const int extent = number_in<int>(digits).value_or(0);
  if (extent < 1) {
    refuse_mesh(text, fmt::format("needs a whole number from 1 on for {}", name));
  }
  if (mesh.*part->extent != Mesh{}.*part->extent) {
    refuse_mesh(text, fmt::format("says {} twice", name));
  }
  mesh.*part->extent = extent;
}

// The smallest tensor group with which the rows divide over the other devices.
int tensor_group_for(std::int64_t batch, int devices) {
  for (int tensor = 1; tensor <= devices; ++tensor) {
    if (devices % tensor == 0 && batch % (devices / tensor) == 0) return tensor;
  }
  return 1;
}

void check_parts(const Mesh& asked, const Slice& slice) {
  for (const MeshPart& part : mesh_parts) {
    if (asked.*part.extent < 0) {
      throw Error("a mesh has no negative part; choose numbers from 1 on");
    }
  }
  if (asked.slices > 0 && asked.slices != slice.joined) {
    const std::string one =
        slice.joined == 1 ? slice.name : slice.name.substr(slice.name.find('x') + 1);
    throw Error(fmt::format(
        "{} is {} slice{}, the mesh asks for {}: leave slices out, or type `slice {}{}`",
        slice.name, slice.joined, slice.joined == 1 ? "" : "s", asked.slices,
        asked.slices == 1 ? std::string() : fmt::format("{}x", asked.slices), one));
  }
}

// "data=2" where nobody typed data.
Mesh filled_in(const Mesh& asked, const Mesh& mesh) {
  Mesh filled;
  for (const auto part : {&Mesh::data, &Mesh::fsdp, &Mesh::tensor}) {
    if (asked.*part == 0 && mesh.*part > 1) filled.*part = mesh.*part;
  }
  return filled;
}

[[noreturn]] void refuse_product(const Mesh& asked, const Mesh& mesh, const Slice& slice) {
  const std::string filled = text_of(filled_in(asked, mesh));
  throw DoesNotDivide(
      fmt::format("mesh {} does not fit {}: its parts must multiply to {}{}, not {}{}",
                  text_of(asked), slice.name, count_with(slice.devices() / slice.joined, "device"),
                  slice.joined > 1 ? " in each slice, as joined slices are replicas here" : "",
                  mesh.devices() / mesh.slices,
                  filled == "auto" ? "" : fmt::format(" (with {}, which was left open)", filled)),
      "");
}

// Rows of all stages together.
void check_stages(const Mesh& mesh, std::int64_t rows) {
  if (mesh.pipeline == 1 && mesh.microbatches > 1) {
    throw Error("microbatches follow each other through stages; write pipeline=... beside them");
  }
  if (mesh.microbatches % mesh.pipeline != 0) {
    throw DoesNotDivide(
        fmt::format("microbatches={} are no multiple of pipeline={}, whose stages share what lies "
                    "outside of layers",
                    mesh.microbatches, mesh.pipeline),
        fmt::format("choose microbatches={}",
                    (mesh.microbatches / mesh.pipeline + 1) * mesh.pipeline));
  }
  if (rows % mesh.microbatches != 0) {
    throw DoesNotDivide(
        fmt::format("microbatches={} do not divide the {} rows that the {} devices of a pipeline "
                    "have together",
                    mesh.microbatches, rows, mesh.devices() / mesh.replicas()),
        "choose a divisor or another batch, or drop_last on where an epoch ends with them");
  }
}

// As the setting of each device where it can be: rows, or a part of one.
std::string batch_of_each(std::int64_t rows, std::int64_t devices) {
  if (rows % devices == 0) return fmt::format("batch {}", rows / devices);
  if (devices % rows == 0) return fmt::format("batch 1/{}", devices / rows);
  return fmt::format("batch.global {}", rows);
}

void check_batch(const Mesh& mesh, std::int64_t batch) {
  const std::int64_t replicas = mesh.replicas();
  if (batch % replicas == 0) return check_stages(mesh, batch / replicas);
  const std::int64_t below = batch / replicas * replicas;
  const std::string nearest =
      below > 0 ? fmt::format("{} or {}", below, below + replicas) : fmt::format("{}", replicas);
  throw DoesNotDivide(fmt::format("{}: {} {} not divide over {} replicas ({})",
                                  batch_of_each(batch, mesh.devices()), count_with(batch, "row"),
                                  batch == 1 ? "does" : "do", replicas, in_full(mesh)),
                      "choose batch.global " + nearest);
}

}  // namespace

Mesh resolved_mesh(const Mesh& asked, const Slice& slice, std::int64_t batch, bool needs_sharding) {
  check_parts(asked, slice);
  const int inside = slice.devices() / slice.joined;
  Mesh mesh = asked;
  mesh.slices = slice.joined;
  const bool open = asked.data == 0 && asked.fsdp == 0;
  // Only fewer rows than devices make a tensor group of themselves; other batches must divide.
  // Contexts and stages share rows as they are.
  const int with_rows = std::max(1, slice.devices() / (mesh.context * mesh.pipeline));
  const bool few_rows = open && batch < with_rows;
  if (mesh.tensor == 0) mesh.tensor = few_rows ? tensor_group_for(batch, with_rows) : 1;
  if (mesh.tensor > inside) mesh.tensor = asked.tensor == 0 ? 1 : mesh.tensor;
  const int rest = std::max(1, inside / (mesh.tensor * mesh.expert * mesh.context * mesh.pipeline));
  if (open) {
    mesh.fsdp = needs_sharding ? rest : 1;
    mesh.data = rest / mesh.fsdp;
  } else if (mesh.data == 0) {
    mesh.data = std::max(1, rest / mesh.fsdp);
  } else if (mesh.fsdp == 0) {
    mesh.fsdp = std::max(1, rest / mesh.data);
  }
  if (mesh.devices() != slice.devices()) refuse_product(asked, mesh, slice);
  check_batch(mesh, batch);
  return mesh;
}

Mesh mesh_named(std::string_view text) {
  Mesh mesh;
  if (text == "auto") return mesh;
  std::string words(text);
  std::ranges::replace_if(
      words, [](char c) { return std::string_view("()[]{},/*").find(c) != std::string::npos; },
      ' ');
  int parts = 0;
  for (const std::string& word : split(words, ' ')) {
    if (word.empty() || word == "x") continue;
    read_part(mesh, word, text);
    ++parts;
  }
  if (parts == 0) refuse_mesh(text, "has no part");
  check_size(mesh, text);
  return mesh;
}

std::string text_of(const Mesh& mesh) {
  std::string text;
  for (const MeshPart& part : mesh_parts) {
    if (mesh.*part.extent == Mesh{}.*part.extent) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : "/", part.name, mesh.*part.extent);
  }
  return text.empty() ? "auto" : text;
}

}  // namespace tpulab
