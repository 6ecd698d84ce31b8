#include "tui/terminal/early_turns.h"

// The kernel's own header: the C library has no such call, and its <sched.h> would clash.
#include <linux/sched.h>
#include <linux/sched/types.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tpulab {

void ask_for_early_turns() {
  sched_attr wanted{};
  wanted.size = sizeof wanted;
  wanted.sched_policy = SCHED_NORMAL;
  wanted.sched_nice = ::getpriority(PRIO_PROCESS, 0);  // as it is
  wanted.sched_runtime = 100'000;                      // nanoseconds, the least there is
  ::syscall(SYS_sched_setattr, 0, &wanted, 0);
}

}  // namespace tpulab
