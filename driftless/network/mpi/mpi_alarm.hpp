#pragma once

namespace driftless {

// Ends this process, and so the job, when the object has lived for so many minutes; 0: never. For
// the calls that MPI has only as calls that wait. There is one alarm at a time.
class MpiAlarm {
 public:
  explicit MpiAlarm(double minutes);
  MpiAlarm(const MpiAlarm&) = delete;
  MpiAlarm& operator=(const MpiAlarm&) = delete;
  ~MpiAlarm();
};

}  // namespace driftless
