#include "engine/runtime/batch_events.h"

#include "engine/machine/loader.h"

namespace tpulab {

std::vector<Event> batch_events(std::int64_t rows, Bytes bytes, double loaders,
                                const Machine& machine) {
  const double at_work = loaders_at_work(machine, loaders);
  if (sends_ahead(machine)) {
    return {{.kind = EventKind::next_batch, .count = rows, .loaders = at_work, .sent = bytes}};
  }
  const bool loads_itself = machine.loader.workers < 0 ? loaders <= 1 : machine.loader.workers == 0;
  const Event made{.kind = EventKind::next_rows, .count = rows, .loaders = at_work};
  return {loads_itself ? Event{.kind = EventKind::load, .count = rows} : made,
          {.kind = EventKind::upload, .sent = bytes}};
}

}  // namespace tpulab
