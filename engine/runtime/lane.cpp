#include "engine/runtime/lane.h"

#include <algorithm>
#include <utility>

namespace tpulab {

namespace {

void add_piece(std::vector<Piece>& pieces, Piece piece) {
  if (piece.end <= piece.start) return;
  if (!pieces.empty() && pieces.back().share == piece.share && pieces.back().end == piece.start) {
    pieces.back().end = piece.end;
  } else {
    pieces.push_back(piece);
  }
}

}  // namespace

void Lane::begin_step(LaneTimeline used) {
  constexpr std::size_t pieces = 16;  // more are few
  step_ = std::move(used);
  step_.begin = device_;
  step_.shares = {};
  step_.batches = {};
  step_.host.clear();
  step_.device.clear();
  step_.host.reserve(pieces);
  step_.device.reserve(pieces);
}

LaneTimeline Lane::end_step() {
  fill_gap(host_);
  step_.end = device_;
  for (const Piece& piece : step_.device) {
    step_.shares[index_of(piece.share)] += piece.end - piece.start;
  }
  return std::move(step_);
}

void Lane::add_clocks(Picoseconds origin, std::vector<Picoseconds>& clocks) const {
  for (const Picoseconds clock : {host_, device_, loader_, ready_})
    clocks.push_back(clock - origin);
  for (const std::vector<Picoseconds>* ends : {&in_flight_, &taken_}) {
    clocks.emplace_back(std::ssize(*ends));
    for (const Picoseconds end : *ends) clocks.push_back(end - origin);
  }
  clocks.push_back(behind_);
  if (behind_.count() > 0) {
    // When it was taken plays a part only while what the host did before is still to be shown.
    const bool passed = since_device_.empty() || since_device_.front().start >= value_.end;
    clocks.emplace_back(static_cast<std::int64_t>(index_of(value_.share)));
    clocks.push_back(passed ? Picoseconds{} : value_.end - origin);
  }
  for (const Piece& piece : since_device_) {
    clocks.emplace_back(static_cast<std::int64_t>(index_of(piece.share)));
    clocks.push_back(piece.start - origin);
    clocks.push_back(piece.end - origin);
  }
}

void Lane::host_does(Share share, Picoseconds duration) {
  const Picoseconds time = on_host(duration);
  work_ += time;
  host_waits(share, host_ + time);
}

void Lane::host_waits(Share share, Picoseconds until) {
  if (until <= host_) return;
  add_piece(step_.host, {share, host_, until});
  add_piece(since_device_, {share, host_, until});
  host_ = until;
}

Picoseconds Lane::host_takes_value(Share share, Picoseconds duration) {
  const Picoseconds asked = host_;
  host_waits(Share::idle, device_);
  in_flight_.clear();
  const Picoseconds waited = host_ - asked;
  host_does(share, duration);
  value_ = {share, asked, host_};
  behind_ = host_ - asked;
  return waited;
}

void Lane::begin_anew(Picoseconds until) {
  host_waits(Share::idle, until);
  fill_gap(until);
  behind_ = {};
  in_flight_.clear();
  taken_.clear();
  loader_ = ready_ = until;
}

Picoseconds Lane::wait_for_place(std::size_t limit) {
  const Picoseconds asked = host_;
  const auto over = std::ranges::find_if(in_flight_, [&](Picoseconds end) { return end > host_; });
  in_flight_.erase(in_flight_.begin(), over);
  if (in_flight_.size() >= std::max<std::size_t>(limit, 1)) {
    host_waits(Share::idle, in_flight_.front());
    in_flight_.erase(in_flight_.begin());
  }
  return host_ - asked;
}

Picoseconds Lane::take_batch(Picoseconds loading, Picoseconds upload, std::size_t ahead) {
  const Picoseconds place = taken_.size() < ahead ? Picoseconds{} : taken_.front();
  const Picoseconds began = std::max(loader_, place);
  loader_ = began + on_host(loading);
  const Picoseconds sent = on_host(upload);
  work_ += loader_ - began + sent;
  step_.batches += std::max(loader_ - began, sent);
  ready_ = std::max(loader_, ready_) + sent;
  host_waits(Share::input, ready_);
  taken_.push_back(host_);
  if (taken_.size() > ahead) taken_.erase(taken_.begin());
  return began;
}

void Lane::begin_program() { fill_gap(std::max(host_, device_)); }

void Lane::device_does(Share share, Picoseconds duration) {
  const Picoseconds time = scaled(duration, group_.device_factor);
  work_ += time;
  device_waits(share, device_ + time);
}

void Lane::device_exchanges(Share share, Picoseconds start, Picoseconds duration) {
  work_ += duration;
  device_waits(Share::collective_wait, start);
  device_waits(share, start + duration);
}

void Lane::device_waits(Share share, Picoseconds until) {
  add_piece(step_.device, {share, device_, until});
  device_ = std::max(device_, until);
}

// What the host does behind a value it could have done before, had it not waited for that; behind a
// compile it would have been late anyway.
void Lane::fill_gap_with(const Piece& piece) {
  if (piece.share == Share::compile) behind_ = {};
  const bool later = piece.start >= value_.end || piece.share == value_.share;
  const Picoseconds shown = later ? std::min(behind_, piece.end - piece.start) : Picoseconds{};
  behind_ -= shown;
  if (shown.count() > 0) device_waits(value_.share, piece.start + shown);
  device_waits(piece.share, piece.end);
}

// What the devices wait for until `until` is what the host does meanwhile.
void Lane::fill_gap(Picoseconds until) {
  for (const Piece& piece : since_device_) {
    const Picoseconds start = std::max(piece.start, device_);
    const Picoseconds end = std::min(piece.end, until);
    if (end <= start) continue;
    device_waits(Share::idle, start);
    fill_gap_with({piece.share, start, end});
  }
  since_device_.clear();
  device_waits(Share::idle, until);
}

}  // namespace tpulab
