#pragma once

#include <filesystem>
#include <vector>

#include "driftless/base/folder.hpp"
#include "driftless/config/plan.hpp"

namespace driftless {

// The folders of a sweep's runs, seen from its own. A sweep lists them in manifest.json before it
// makes the first, and --force removes what they hold and nothing else.
bool holds_sweep(const Folder& folder);

// What was listed before stays listed.
void write_manifest(const Folder& sweep, const ExperimentPlan& plan);

// Throws DataError where the folder holds a sweep that does not tell, or tells what no sweep
// writes.
std::vector<std::filesystem::path> listed_runs(const Folder& sweep);

}  // namespace driftless
