#pragma once

#include "driftless/base/processes.hpp"
#include "driftless/data/dataset.hpp"

namespace driftless {

// Throws ConfigError unless the data are a table: images are normalised already, and sparse rows
// would not stay sparse.
void check_standardisable(const Dataset& train);

// Collective: the mean and the deviation of every feature over the samples of all groups of all
// processes. A group's sums are all that leaves a process; they are added in the order of the
// groups, so that any number of processes gives the same bits. A feature that is always the same
// has the deviation 1.
Standardisation standardisation_of(const Dataset& train, const Partition& groups,
                                   const Processes& processes);

void standardise(Dataset& data, const Standardisation& by);

}  // namespace driftless
