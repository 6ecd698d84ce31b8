// Every constant of a hardware row, for tests that look at all of them.
#pragma once

#include <array>

#include "engine/machine/machine.h"

namespace tpulab::test {

inline constexpr std::array generation_constants{&Generation::clock_hertz,
                                                 &Generation::matrix_units,
                                                 &Generation::matrix_side,
                                                 &Generation::matrix_efficiency,
                                                 &Generation::vector_lanes,
                                                 &Generation::medium_clocks,
                                                 &Generation::transcendental_clocks,
                                                 &Generation::lane_reduction_clocks,
                                                 &Generation::hbm_gib,
                                                 &Generation::usable_hbm_gib,
                                                 &Generation::hbm_bytes_per_second,
                                                 &Generation::hbm_efficiency,
                                                 &Generation::vmem_mib,
                                                 &Generation::block_mib,
                                                 &Generation::resident_mib,
                                                 &Generation::link_bytes_per_second,
                                                 &Generation::link_efficiency,
                                                 &Generation::hop_seconds,
                                                 &Generation::collective_seconds,
                                                 &Generation::network_bytes_per_second,
                                                 &Generation::network_seconds,
                                                 &Generation::kernel_seconds,
                                                 &Generation::block_seconds,
                                                 &Generation::program_seconds,
                                                 &Generation::host_link_bytes_per_second,
                                                 &Generation::host_gb,
                                                 &Generation::host_cpus,
                                                 &Generation::lone_chip_cpus,
                                                 &Generation::eight_chip_cpus,
                                                 &Generation::load_rows_per_clock,
                                                 &Generation::held_mib,
                                                 &Generation::int8_speed,
                                                 &Generation::fp8_speed};

}  // namespace tpulab::test
