// The page `help slices`.
#include "commands/help_slices.h"

namespace tpulab {

namespace {

constexpr std::string_view slices_words = R"(
A slice is a generation and a size: v3-8. On v2, v3, v4, v5p and v7 the number
counts cores, two on a chip; on v5e and v6e it counts chips.

v2-8, v2-32 ... v2-512        two devices a chip, 8 GiB each
v3-8, v3-32 ... v3-2048       two devices a chip, 16 GiB each
v4-8, v4-16 ... v4-8192       one device a chip, 32 GiB
v5e-1, v5e-4 ... v5e-256      one device a chip, 16 GiB
v5p-8, v5p-128 ... v5p-12288  one device a chip, 95.7 GiB
v6e-1, v6e-8 ... v6e-256      one device a chip, 32 GiB
v7-8, v7-16 ... v7-18432      two devices a chip, 96 GiB each
2xv5e-256                     two slices, joined by the data-centre network

The loss is the same on all of them for the same number of devices; the time
is not. `show slice v3-8` describes one, with its price.

Your own machine is a file ~/.config/tpulab/slices.d/NAME.toml (for everybody
/etc/xdg/tpulab/slices.d): what it is like, and what differs, with its unit.
  base = "v6e"             # one that is built in
  hbm = "64 GiB"           # of a device
  hbm_speed = "3.2 TB/s"   # of a device
  link_speed = "180 GB/s"  # of one link in one direction
  peak = "1.8 PFLOP/s"     # bf16 of a device; or clock = "3 GHz"
  matrix_units = 4         # and matrix_side, network_speed, host_link_speed
  price = "1.90 $/h"       # of a chip: what you pay
peak sets the clock that it needs, and the vector unit runs by that clock,
too; matrix_units alone makes more of the matrix units, and of nothing else.

Then `slice NAME-8` is one; every answer calls it yours:NAME-8, and `show
generation NAME` says of each constant where it is from. Files are read when
the program starts, at most 64 of a folder. A kept run keeps what its file
said: `runs diff` and `runs rerun` tell where it says something else by now.
)";

}  // namespace

std::string_view slices_text() { return slices_words; }

}  // namespace tpulab
