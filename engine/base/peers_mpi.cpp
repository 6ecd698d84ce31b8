// The one file that knows MPI.
#define OMPI_SKIP_MPICXX 1  // C functions are what is called
#define MPICH_SKIP_MPICXX 1
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "engine/base/peers.h"

namespace tpulab {

namespace {

using Clock = std::chrono::steady_clock;

// MPI counts in int.
constexpr std::size_t most_at_once = std::size_t{1} << 28;
// Between two steps nobody waits longer; at a prompt people do.
constexpr auto awake = std::chrono::milliseconds(50);
constexpr auto nap = std::chrono::milliseconds(2);

int number_of(int (*ask)(MPI_Comm, int*), MPI_Comm group) {
  int number = 0;
  ask(group, &number);
  return number;
}

int processes_here() {
  MPI_Comm computer{};
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &computer);
  const int processes = number_of(MPI_Comm_size, computer);
  MPI_Comm_free(&computer);
  return processes;
}

std::string name_of_computer() {
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  return {name.data(), static_cast<std::size_t>(length)};
}

class MpiPeers : public Peers {
 public:
  MpiPeers()
      : rank_(number_of(MPI_Comm_rank, MPI_COMM_WORLD)),
        size_(number_of(MPI_Comm_size, MPI_COMM_WORLD)),
        here_(processes_here()) {}
  ~MpiPeers() override { MPI_Finalize(); }
  MpiPeers(const MpiPeers&) = delete;
  MpiPeers& operator=(const MpiPeers&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int here() const override { return here_; }

  void exchange(int rank, std::span<const float> mine, std::span<float> theirs) override {
    while (!mine.empty() || !theirs.empty()) {
      const auto sent = mine.first(std::min(mine.size(), most_at_once));
      const auto received = theirs.first(std::min(theirs.size(), most_at_once));
      MPI_Sendrecv(sent.data(), static_cast<int>(sent.size()), MPI_FLOAT, rank, 0, received.data(),
                   static_cast<int>(received.size()), MPI_FLOAT, rank, 0, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
      mine = mine.subspan(sent.size());
      theirs = theirs.subspan(received.size());
    }
  }

  std::string broadcast(int from, std::string text) override {
    auto length = static_cast<std::int64_t>(text.size());
    MPI_Request request{};
    MPI_Ibcast(&length, 1, MPI_INT64_T, from, MPI_COMM_WORLD, &request);
    wait_for(request);
    text.resize(static_cast<std::size_t>(length));
    for (std::size_t at = 0; at < text.size(); at += most_at_once) {
      const std::size_t count = std::min(text.size() - at, most_at_once);
      MPI_Bcast(text.data() + at, static_cast<int>(count), MPI_BYTE, from, MPI_COMM_WORLD);
    }
    return text;
  }

  [[noreturn]] void end_all(std::string_view why) override {
    fmt::print(stderr,
               "tpulab: process {} of {}, on {}: {}; the run ends here, what `checkpoint` "
               "wrote is kept\n",
               rank_, size_, name_of_computer(), why);
    std::fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    std::abort();
  }

 private:
  // MPI itself waits without rest.
  static void wait_for(MPI_Request& request) {
    const Clock::time_point begin = Clock::now();
    for (int done = 0;;) {
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      if (done != 0) return;
      if (Clock::now() - begin < awake) {
        std::this_thread::yield();
      } else {
        std::this_thread::sleep_for(nap);
      }
    }
  }

  int rank_;
  int size_;
  int here_;
};

}  // namespace

std::unique_ptr<Peers> started_peers() {
  const char* wanted = std::getenv("TPULAB_MPI");
  const std::string_view said = wanted == nullptr ? "" : wanted;
  const bool launched = said == "1" || std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr;
  if (!launched || said == "0") return nullptr;
  // The engine's thread calls, between the main one's beginning and end.
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  return std::make_unique<MpiPeers>();
}

}  // namespace tpulab
