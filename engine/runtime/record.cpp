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

}  // namespace tpulab
