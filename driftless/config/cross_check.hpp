#pragma once

#include <map>
#include <string_view>

#include "driftless/config/config.hpp"
#include "driftless/config/config_file.hpp"

namespace driftless {

// What is given for one run, by key.
using Given = std::map<const Key*, const Setting*>;

// The config of one run, defaults filled in.
ExperimentConfig resolve(const Given& given);

// The same, with a check: faults that show only when its keys are seen together
// (a key that this method does not have, one that is missing) go to `file.faults`; `combination`
// names the run there.
ExperimentConfig resolve_checked(const Given& given, std::string_view combination,
                                 ConfigFile& file);

// Why no node may be lost under a method with these options; empty: any may.
std::string_view why_none_may_be_lost(const AlgorithmConfig& algorithm);

}  // namespace driftless
