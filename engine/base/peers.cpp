#include "engine/base/peers.h"

namespace tpulab {

std::vector<std::string> texts_of_all(Peers& peers, const std::string& text) {
  std::vector<std::string> texts;
  texts.reserve(static_cast<std::size_t>(peers.size()));
  for (int rank = 0; rank < peers.size(); ++rank) texts.push_back(peers.broadcast(rank, text));
  return texts;
}

// Blocks of neighbours join and double, until there is one.
void gather_parts(Peers& peers, std::span<float> all) {
  const auto part = all.size() / static_cast<std::size_t>(peers.size());
  const auto block_of = [&](int rank, int ranks) {
    return all.subspan(static_cast<std::size_t>(rank / ranks * ranks) * part,
                       static_cast<std::size_t>(ranks) * part);
  };
  for (int ranks = 1; ranks < peers.size(); ranks *= 2) {
    const int other = peers.rank() ^ ranks;
    peers.exchange(other, block_of(peers.rank(), ranks), block_of(other, ranks));
  }
}

}  // namespace tpulab
