#pragma once

namespace driftless {

// Opens /dev/null in place of a standard stream that was closed. Else the first file that the
// program opens would get its number, and all that is told would land in that file.
void reserve_standard_streams();

// Throws std::system_error where something that was told on standard output is lost.
void flush_standard_output();

}  // namespace driftless
