#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/config/key.hpp"

namespace driftless {

// Every key a config file may hold, in the order in which files are written.
std::span<const Key> config_keys();

// Problem, network, algorithm, schedule, run, checkpoint, tune.
std::span<const std::string_view> config_sections();

// Null when there is no such key.
const Key* find_key(std::string_view name);

// Why the key means nothing in this config, as half a sentence after the key; empty when it does
// mean something.
std::string why_inapplicable(const Key& key, const ExperimentConfig& config);

// "unknown key ...; did you mean ...?", or which keys there are when none is near.
std::string unknown_key(std::string_view name);
std::string unknown_section(std::string_view name);

}  // namespace driftless
