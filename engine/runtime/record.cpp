#include "engine/runtime/record.h"

namespace tpulab {

std::string_view name_of(StepKind kind) {
  if (kind == StepKind::setup) return "setup";
  return kind == StepKind::train ? "train" : "evaluate";
}

bool operator==(const Event& a, const Event& b) {
  return a.kind == b.kind && a.count == b.count && a.loaders == b.loaders && a.sent == b.sent &&
         a.received == b.received && a.host.flops == b.host.flops && a.host.bytes == b.host.bytes &&
         a.program == b.program && a.name == b.name && a.cause == b.cause;
}

std::string_view name_of(EventKind kind) {
  switch (kind) {
    case EventKind::python:
      return "Python";
    case EventKind::trace:
      return "trace";
    case EventKind::compile:
      return "compile";
    case EventKind::next_batch:
      return "next batch";
    case EventKind::next_rows:
      return "next rows";
    case EventKind::load:
      return "load";
    case EventKind::upload:
      return "upload";
    case EventKind::dispatch:
      return "dispatch";
    case EventKind::read_back:
      return "read back";
    case EventKind::host_op:
      return "host op";
    case EventKind::mark_step:
      return "mark step";
  }
  return "";
}

}  // namespace tpulab
