// The work of a network: its step traced, compiled and taken apart.
#pragma once

#include <memory>

#include "engine/training/networks/networks.h"
#include "engine/training/workload.h"

namespace tpulab {

// Over tokens, on rows of so many; of an encoder some are predicted, of a decoder each.
TracedNetwork traced_encoder(const EncoderSizes& sizes, std::int64_t tokens);
// One answer a row, in place of the masked-language head.
TracedNetwork traced_classifier(EncoderSizes sizes, std::int64_t classes, std::int64_t tokens);
TracedNetwork traced_decoder(const DecoderSizes& sizes, std::int64_t tokens);

// The catalogue's name of what a person typed: "ResNet-50" is "resnet50", "mlperf-bert" is
// "bert-base".
std::string usual_name(std::string_view typed);

// Once for each model and set of options. Throws Error where a mesh does not divide it.
StepWork work_of(const TracedNetwork& network, const WorkOptions& options);
// The same object for the same question; of replicas those of traced_mesh().
std::shared_ptr<const StepWork> known_work(const TracedNetwork& network,
                                           const WorkOptions& options);
StepCalls calls_of(const TracedNetwork& network, const WorkOptions& options);

}  // namespace tpulab
