#include "engine/formats/huggingface/config_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

using Json = nlohmann::json;

// What no step depends on: names, ids, versions, first values, how text is generated. Numbers of
// norms and of rotary positions change values, and no shape or kernel.
constexpr std::string_view without_effect =
    "model_type auto_map bad_words_ids cache_implementation begin_suppress_tokens "
    "chunk_size_feed_forward classifier_dropout custom_pipelines decoder_start_token_id "
    "directionality diversity_penalty do_sample dtype early_stopping "
    "encoder_no_repeat_ngram_size exponential_decay_length_penalty finetuning_task "
    "forced_bos_token_id forced_eos_token_id id2label initializer_factor initializer_range "
    "keep_eos_token_id label2id language layer_norm_eps layer_norm_epsilon length_penalty "
    "max_length min_length model_name n_ctx no_repeat_ngram_size num_beam_groups num_beams "
    "num_labels num_return_sequences output_attentions output_hidden_states output_past "
    "output_scores prefix query_pre_attn_scalar pretraining_tp problem_type "
    "remove_invalid_values repetition_penalty return_dict return_dict_in_generate rms_norm_eps "
    "rope_local_base_freq rope_parameters rope_scaling rope_theta rotary_emb_base "
    "suppress_tokens task_specific_params temperature tokenizer_class top_k top_p torch_dtype "
    "torchscript transformers_version typical_p use_bfloat16 use_cache";

bool drops(std::string_view name) {
  return name.ends_with("dropout") || name.ends_with("pdrop") || name.ends_with("dropout_prob") ||
         name.ends_with("dropout_rate");
}

bool has_no_effect(std::string_view name) {
  return name.starts_with('_') || name.ends_with("_token_id") || drops(name) ||
         has_word(without_effect, name);
}

// What stands there, short.
std::string shown(const Json& value) {
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  return text;
}

std::string whole_range(std::int64_t most) {
  return fmt::format("a whole number from 1 to {}", text_with_commas(most));
}

bool is_whole(const Json& value, std::int64_t most) {
  return value.is_number_integer() &&
         (!value.is_number_unsigned() ||
          value.get<std::uint64_t>() <= static_cast<std::uint64_t>(most)) &&
         value.get<std::int64_t>() >= 1 && value.get<std::int64_t>() <= most;
}

}  // namespace

ConfigFields::ConfigFields(Json object, std::string file)
    : object_(std::move(object)), file_(std::move(file)) {}

std::int64_t ConfigFields::whole(std::string_view name, std::int64_t most) {
  const Json* const value = find(name);
  if (value == nullptr || !is_whole(*value, most)) wrong(name, whole_range(most));
  return value->get<std::int64_t>();
}

std::int64_t ConfigFields::whole_or(std::string_view name, std::int64_t most,
                                    std::int64_t otherwise) {
  return find(name) == nullptr ? otherwise : whole(name, most);
}

std::vector<std::int64_t> ConfigFields::wholes(std::string_view name, std::int64_t most) {
  const Json* const value = find(name);
  const auto expected = [&] { return fmt::format("a list, each {}", whole_range(most)); };
  if (value == nullptr || !value->is_array() || value->empty()) wrong(name, expected());
  std::vector<std::int64_t> numbers;
  for (const Json& one : *value) {
    if (!is_whole(one, most)) wrong(name, expected());
    numbers.push_back(one.get<std::int64_t>());
  }
  return numbers;
}

void ConfigFields::none_inside(std::string_view name, std::string_view key) const {
  const auto found = object_.find(name);
  if (found == object_.end() || !found->is_object() || !found->contains(key)) return;
  refuse(name, fmt::format("its {} is not emulated", key));
}

double ConfigFields::share_or(std::string_view name, double otherwise) {
  const Json* const value = find(name);
  if (value == nullptr) return otherwise;
  const bool share = value->is_number() && value->get<double>() >= 0 && value->get<double>() <= 1;
  if (!share) wrong(name, "a number from 0 to 1");
  return value->get<double>();
}

double ConfigFields::size_or(std::string_view name, double otherwise) {
  const Json* const value = find(name);
  if (value == nullptr) return otherwise;
  const bool size = value->is_number() && value->get<double>() > 0 && value->get<double>() <= 1e9;
  if (!size) wrong(name, "a number above 0, to 1e9");
  return value->get<double>();
}

bool ConfigFields::flag_or(std::string_view name, bool otherwise) {
  const Json* const value = find(name);
  if (value == nullptr) return otherwise;
  if (!value->is_boolean()) wrong(name, "true or false");
  return value->get<bool>();
}

std::string ConfigFields::word(std::string_view name) {
  const Json* const value = find(name);
  if (value == nullptr || !value->is_string()) wrong(name, "a word in quotes");
  return value->get<std::string>();
}

std::string ConfigFields::word_or(std::string_view name, std::string_view otherwise) {
  return find(name) == nullptr ? std::string(otherwise) : word(name);
}

std::vector<std::string> ConfigFields::words(std::string_view name) {
  const Json* const value = find(name);
  if (value == nullptr) return {};
  const bool all = value->is_array() &&
                   std::ranges::all_of(*value, [](const Json& one) { return one.is_string(); });
  if (!all) wrong(name, "a list of words in quotes");
  return value->get<std::vector<std::string>>();
}

std::int64_t ConfigFields::entries(std::string_view name) {
  const Json* const value = find(name);
  if (value == nullptr) return 0;
  if (!value->is_object() && !value->is_array()) wrong(name, "an object or a list");
  return static_cast<std::int64_t>(value->size());
}

bool ConfigFields::has(std::string_view name) const {
  const auto found = object_.find(name);
  return found != object_.end() && !found->is_null();
}

void ConfigFields::only(std::string_view name, std::initializer_list<std::string_view> words) {
  if (find(name) == nullptr || std::ranges::find(words, word(name)) != words.end()) return;
  wrong(name, fmt::format("{}: nothing else is emulated", fmt::join(words, " or ")));
}

void ConfigFields::only_flag(std::string_view name, bool flag) {
  if (flag_or(name, flag) != flag) wrong(name, fmt::format("{}: nothing else is emulated", flag));
}

void ConfigFields::refuse(std::string_view name, std::string_view why) const {
  const auto found = object_.find(name);
  const std::string there = found == object_.end() ? "not there" : shown(*found);
  throw Error(fmt::format("{}: field \"{}\" is {}; {}", file_, name, there, why));
}

bool ConfigFields::drops_values() const {
  for (const auto& [name, value] : object_.items()) {
    const bool of_head = name == "classifier_dropout";
    if (drops(name) && !of_head && !asked_.contains(name) && value.is_number() &&
        value.get<double>() > 0)
      return true;
  }
  return false;
}

void ConfigFields::expect_all_known(std::string_view kind) const {
  for (const auto& [name, value] : object_.items()) {
    if (asked_.contains(name) || value.is_null() || has_no_effect(name)) continue;
    throw Error(
        fmt::format("{}: field \"{}\" ({}) of a {} is not known here and may change the network; "
                    "take it out if it does not",
                    file_, name, shown(value), kind));
  }
}

const Json* ConfigFields::find(std::string_view name) {
  asked_.emplace(name);
  const auto found = object_.find(name);
  return found == object_.end() || found->is_null() ? nullptr : &*found;
}

void ConfigFields::wrong(std::string_view name, const std::string& expected) const {
  const auto found = object_.find(name);
  const std::string is =
      found == object_.end() ? "is not there" : fmt::format("is {}", shown(*found));
  throw Error(fmt::format("{}: field \"{}\" {}; expected {}", file_, name, is, expected));
}

}  // namespace tpulab
