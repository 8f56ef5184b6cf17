#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/config/config.hpp"

namespace driftless {

// An option as a key of a config file: its name is the full one, "algorithm.local_steps".
struct Key : Option {
  // `value` must have passed `fault`.
  std::function<void(ExperimentConfig&, const Value&)> assign;
  // Empty when it is unset and has no default.
  std::function<std::optional<Value>(const ExperimentConfig&)> value_in;

  std::string_view section() const { return std::string_view(name).substr(0, name.find('.')); }
  std::string_view short_name() const {  // "local_steps"
    return std::string_view(name).substr(name.find('.') + 1);
  }
};

// Every key a config file may hold, in the order in which files are written: those of the sections
// and those of all kinds of problems and methods. It grows when a kind is registered; keys that
// were handed out stay good.
const std::deque<Key>& config_keys();

// Problem, network, faults, compression, algorithm, schedule, run, checkpoint, tune.
const std::vector<std::string_view>& config_sections();

// Null when there is no such key.
const Key* find_key(std::string_view name);

// Why the key means nothing in this config, as half a sentence after the key; empty when it does
// mean something.
std::string why_inapplicable(const Key& key, const ExperimentConfig& config);

// The keys that users of other programs may mean: those with that last part in another section, and
// those of which it is a synonym.
std::vector<std::string_view> keys_called(std::string_view name);

// "unknown key ...; did you mean ...?", or which keys there are when none is near.
std::string unknown_key(std::string_view name);
std::string unknown_section(std::string_view name);

// Writes the default of every option that the config's problem and method have and that is unset.
void fill_in_defaults(ExperimentConfig& config);

// The config as a TOML file that reads back as the same config: every key that means something in
// it is written out, with its documentation; [faults] and [compression] only where there are any.
std::string to_toml(const ExperimentConfig& config);

}  // namespace driftless
