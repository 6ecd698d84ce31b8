// Built without MPI.
#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "engine/base/error.h"
#include "engine/base/peers.h"

namespace tpulab {

std::unique_ptr<Peers> started_peers() {
  const char* wanted = std::getenv("TPULAB_MPI");
  const std::string_view said = wanted == nullptr ? "" : wanted;
  const char* mpirun = std::getenv("OMPI_COMM_WORLD_SIZE");
  const bool several = mpirun != nullptr && std::string_view(mpirun) != "1";
  if (said == "1" || (several && said != "0")) {
    throw Error(fmt::format(
        "this tpulab was built without MPI: {} processes would each train the whole run; build it "
        "with cmake -DTPULAB_MPI=ON, or give TPULAB_MPI=0 to have each work alone",
        several ? mpirun : "several"));
  }
  return nullptr;
}

}  // namespace tpulab
