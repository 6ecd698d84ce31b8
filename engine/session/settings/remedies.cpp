#include "engine/session/settings/remedies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "engine/forecast/mesh.h"
#include "engine/machine/machine.h"
#include "engine/session/settings/no_effect.h"

namespace tpulab {

namespace {

using Assignments = std::vector<Assignment>;

// Of rows of 131,072 tokens so many devices take 512 each.
constexpr std::int64_t widest_group = 256;

WayToFit needed(Assignments changes, const Settings& settings) {
  std::erase_if(changes, [&](const Assignment& one) {
    return setting_named(one.name).show(settings) == one.value;
  });
  return changes;
}

class Search {
 public:
  Search(const Settings& settings, std::int64_t most_rows, const Fits& fits)
      : settings_(settings), fits_(fits), rows_(std::min(settings.batch, most_rows)) {
    for (const char* name : {"attention", "batch", "donate", "loader_prefetch", "loss_pieces",
                             "mesh", "precision", "remat"}) {
      if (!no_effect(settings, name).empty()) idle_.emplace_back(name);
    }
  }

  std::vector<WayToFit> found() && {
    alone();
    const bool one_is_enough = !found_.empty();
    if (found_.size() == 1 && found_[0][0].name == "batch") with_more_rows();
    if (!one_is_enough) together();
    const bool whole_rows = !found_.empty();
    if (!one_is_enough) in_pieces();
    if (!whole_rows) with_parts_of_a_row();
    const bool here = !found_.empty();
    if (!whole_rows) on_larger_slice(true);
    on_as_many_devices();
    in_bf16(whole_rows, here);
    if (found_.empty()) on_larger_slice(false);
    return std::move(found_);
  }

 private:
  bool fits(const Assignments& changes) const {
    const auto candidate = with_changes(settings_, that_act(changes));
    // Rows of changing lengths have no pieces that divide all of them.
    if (candidate && candidate->loss_pieces > 1 && candidate->shapes != "fixed") return false;
    return candidate && *candidate != settings_ && fits_(*candidate);
  }
  bool try_it(const Assignments& changes) {
    if (!fits(changes)) return false;
    found_.push_back(needed(that_act(changes), settings_));
    return true;
  }
  Assignments that_act(Assignments changes) const {
    std::erase_if(changes, [this](const Assignment& one) {
      return std::ranges::find(idle_, one.name) != idle_.end();
    });
    return changes;
  }

  Assignments and_batch(Assignments others, std::int64_t rows) const {
    others.push_back({"batch", std::to_string(rows)});
    return others;
  }

  // Of which batches are multiples, where microbatches follow each other.
  std::int64_t unit_of_batch(const Assignments& others) const {
    const auto changed = with_changes(settings_, others);
    const std::int64_t most = changed ? mesh_named(changed->mesh).microbatches : 1;
    for (std::int64_t rows = 1; rows < most; ++rows) {
      if (with_changes(settings_, and_batch(others, rows))) return rows;
    }
    return std::max<std::int64_t>(most, 1);
  }

  // The largest batch that fits with `others`, 0 if none does: as if more rows never needed less.
  // What does not fit is mostly far from it: halves of the distance would begin too large.
  std::int64_t largest_batch(const Assignments& others) const {
    const std::int64_t unit = unit_of_batch(others);
    std::int64_t failing = (rows_ + unit - 1) / unit;
    if (failing <= 1 || !fits(and_batch(others, unit))) return 0;
    std::int64_t fitting = 1;
    while (failing - fitting > 1) {
      const double between = std::sqrt(static_cast<double>(fitting) * static_cast<double>(failing));
      const std::int64_t tried =
          std::clamp<std::int64_t>(std::llround(between), fitting + 1, failing - 1);
      (fits(and_batch(others, tried * unit)) ? fitting : failing) = tried;
    }
    return fitting * unit;
  }
  bool try_batch_with(const Assignments& others) {
    const std::int64_t rows = largest_batch(others);
    return rows > 0 && try_it(and_batch(others, rows));
  }

  Assignment sharded() const {
    return {"mesh", fmt::format("fsdp={}", chosen_devices(settings_).size())};
  }

  void alone() {
    for (const Assignment& usual : {Assignment{"donate", "on"}, {"loader_prefetch", "auto"}}) {
      try_it({usual});
    }
    try_it({fused_});
    const bool staged = mesh_named(settings_.mesh).pipeline > 1;
    if (!try_batch_with({}) && staged) try_batch_with({{"drop_last", "on"}});
    with_experts_apart();
    for (const char* remat : {"minimal", "full", "offload"}) {
      if (try_it({{"remat", remat}})) break;
    }
    try_it({{"precision", "bf16-mixed"}});
    if (!is_named(settings_)) return;
    try_it({sharded()});
    if (settings_.devices != "auto") try_it({{"devices", "auto"}});
    for (const char* pieces : {"4", "16", "64"}) {
      if (try_it({{"loss_pieces", pieces}})) break;
    }
  }

  // Devices that share the experts of a layer gather fewer of them; others have none.
  void with_experts_apart() {
    if (!is_named(settings_) || settings_.mesh != "auto") return;
    constexpr std::int64_t widest = 32;  // links take more beyond
    const std::int64_t all = std::ssize(chosen_devices(settings_));
    for (std::int64_t n = widest; n > 1; n /= 2) {
      if (n <= all && try_it({{"mesh", fmt::format("expert={}", n)}})) break;
    }
  }

  // Fewer rows alone would do, and less that is stored leaves room for twice as many.
  void with_more_rows() {
    if (!is_named(settings_)) return;
    const std::int64_t alone = std::stoll(found_.front().front().value);
    const std::vector<Assignments> ways{{full_}, {offload_}, {full_, pieces_}, {offload_, pieces_}};
    for (const Assignments& others : ways) {
      const std::int64_t rows = largest_batch(others);
      if (rows >= 2 * alone && try_it(and_batch(others, rows))) break;
    }
  }

  // As if the one with most memory held whatever another does.
  void on_as_many_devices() {
    const std::vector<std::string> slices = slices_like_this();
    const auto memory = [](const std::string& slice) {
      return slice_named(slice).usable_hbm_per_device();
    };
    const auto roomiest = std::ranges::max_element(slices, {}, memory);
    if (roomiest == slices.end() || !fits({{"slice", *roomiest}})) return;
    for (const std::string& slice : slices) {
      if (try_it({{"slice", slice}})) break;
    }
  }

  void together() {
    if (!is_named(settings_)) return;
    if (try_it({full_, fused_}) || try_it({full_, sharded()})) return;
    if (!try_batch_with({full_})) try_batch_with({full_, sharded()});
  }

  // Of decoders with many words: logits, beside what their layers keep.
  void in_pieces() {
    if (!is_named(settings_)) return;
    if (!try_it({full_, pieces_})) try_it({offload_, pieces_});
  }

  // It changes what is learned: behind the rest, and with more only for what that cannot do here.
  void in_bf16(bool whole_rows, bool here) {
    const Assignment precision{"precision", "bf16-true"};
    const auto is_mixed = [](const WayToFit& way) { return way[0].value == "bf16-mixed"; };
    if (std::ranges::any_of(found_, is_mixed) || try_it({precision})) return;
    if (!is_named(settings_) || whole_rows || try_it({full_, precision})) return;
    if (!try_batch_with({full_, precision}) && !here) try_parts({{full_, pieces_, precision}});
  }

  // `devices` share each row, by the mesh that is open, its tokens or its layers.
  bool try_part_of_a_row(std::int64_t devices, const Assignments& others) {
    const auto shared = [&](const std::string& mesh) {
      Assignments changes = others;
      changes.push_back({"mesh", mesh});
      changes.push_back({"batch", fmt::format("1/{}", devices)});
      return changes;
    };
    return try_it(shared(settings_.mesh)) || try_it(shared(fmt::format("context={}", devices))) ||
           try_it(shared(fmt::format("tensor={}", devices)));
  }

  // As few devices as are enough, with the first of `ways` that is.
  bool try_parts(const std::vector<Assignments>& ways) {
    const std::int64_t all = std::ssize(chosen_devices(settings_));
    for (std::int64_t n = 2 * settings_.devices_a_row; n <= all; n *= 2) {
      for (const Assignments& others : ways) {
        if (try_part_of_a_row(n, others)) return true;
      }
    }
    return false;
  }

  // More is given up only where no number of devices is enough.
  void with_parts_of_a_row() {
    if (!is_named(settings_)) return;
    if (try_parts({{}, {full_}}) || try_parts({{full_, pieces_}})) return;
    try_parts({{offload_, pieces_}});
  }

  bool try_on(const std::string& slice) {
    const Assignments move{{"mesh", "auto"}, {"slice", slice}, {"devices", "auto"}};
    Assignments again = move;
    again.push_back(full_);
    return try_it(move) || try_it(again) || try_batch_with(again);
  }
  // Where no slice holds a whole row, groups of 2, 4, ... devices share one.
  bool try_in_parts_on(const std::string& slice) {
    const Assignments move{{"slice", slice}, {"devices", "auto"}, full_};
    const std::int64_t most = std::min<std::int64_t>(devices_of(slice), widest_group);
    for (std::int64_t n = 2; n <= most; n *= 2) {
      if (try_part_of_a_row(n, move)) return true;
    }
    return false;
  }
  // The smallest that is no smaller, of the same generation or of any other.
  void on_larger_slice(bool of_generation) {
    if (!is_named(settings_)) return;
    const std::vector<std::string> slices = slices_no_smaller(of_generation);
    if (try_first(slices, [this](const std::string& slice) { return try_on(slice); })) return;
    if (!found_.empty()) return;
    try_first(slices, [this](const std::string& slice) { return try_in_parts_on(slice); });
  }
  // As if the largest slice of a generation, the last, held whatever a smaller one does.
  template <class Try>
  bool try_first(const std::vector<std::string>& slices, const Try& try_slice) {
    std::map<std::string_view, std::string> largest;
    for (const std::string& slice : slices) largest[slice_named(slice).generation->name] = slice;
    const std::size_t before = found_.size();
    std::map<std::string_view, bool> holds;
    for (const std::string& slice : slices) {
      const std::string_view generation = slice_named(slice).generation->name;
      if (!holds.contains(generation)) holds[generation] = try_slice(largest[generation]);
      found_.resize(before);
      if (holds[generation] && try_slice(slice)) return true;
    }
    return false;
  }

  int devices_of(const std::string& slice) const { return slice_named(slice).devices(); }

  std::vector<std::string> slices_like_this() const {
    std::vector<std::string> slices = slice_names();
    std::erase_if(slices, [this](const std::string& slice) {
      return devices_of(slice) != devices_of(settings_.slice);
    });
    return slices;
  }

  std::vector<std::string> slices_no_smaller(bool of_generation) const {
    const Slice here = slice_named(settings_.slice);
    std::vector<std::string> slices = slice_names();
    std::erase_if(slices, [&](const std::string& slice) {
      return devices_of(slice) < here.devices() || slice == here.name ||
             (slice_named(slice).generation == here.generation) != of_generation;
    });
    std::ranges::stable_sort(slices, {}, [&](const auto& slice) { return devices_of(slice); });
    return slices;
  }

  const Assignment fused_{"attention", "fused"};
  const Assignment full_{"remat", "full"};
  const Assignment offload_{"remat", "offload"};
  const Assignment pieces_{"loss_pieces", "16"};

  const Settings& settings_;
  const Fits& fits_;
  std::int64_t rows_;
  std::vector<std::string> idle_;  // settings that change nothing of this network
  std::vector<WayToFit> found_;
};

}  // namespace

std::vector<WayToFit> remedies(const Settings& settings, std::int64_t most_rows, const Fits& fits) {
  return Search(settings, most_rows, fits).found();
}

std::string note_on(const std::vector<WayToFit>& ways) {
  const bool rounds = std::ranges::any_of(ways, [](const WayToFit& way) {
    return std::ranges::find(way, "bf16-true", &Assignment::value) != way.end();
  });
  return rounds ? "\nbf16-true changes what is learned: weights and their updates are rounded, too."
                : "";
}

}  // namespace tpulab
