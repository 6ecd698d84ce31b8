#include <fmt/format.h>

#include "engine/ops/general_ops.h"

namespace tpulab {

namespace {

Bytes bytes_of_all(const Type& type) { return {type.shape.elements() * bytes_of(type.dtype)}; }

}  // namespace

Tensor copy_to_host(Tensor x) {
  return apply_general(*x.graph,
                       {.name = "copy to the host",
                        .traits = {.host_link = true},
                        .type = x.type(),
                        .work = HostLinkWork{.bytes = bytes_of_all(x.type())}},
                       {&x, 1});
}

Tensor copy_from_host(Graph& graph, const Type& type, int number) {
  return apply_general(graph,
                       {.name = "copy from the host",
                        .attributes = fmt::format("{}", number),
                        .traits = {.host_link = true},
                        .type = type,
                        .work = HostLinkWork{.bytes = bytes_of_all(type), .taken = true}},
                       {});
}

}  // namespace tpulab
