#include "engine/runtime/record.h"

namespace tpulab {

bool operator==(const Event& a, const Event& b) {
  return a.kind == b.kind && a.count == b.count && a.loaders == b.loaders && a.sent == b.sent &&
         a.received == b.received && a.host.flops == b.host.flops && a.host.bytes == b.host.bytes &&
         a.program == b.program && a.name == b.name && a.cause == b.cause;
}

}  // namespace tpulab
