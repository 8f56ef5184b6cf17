#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "driftless/report/live_report.hpp"

namespace driftless {

// Serves a live report over HTTP, to this machine alone: the page at "/", its data at "/data".
class PageServer {
 public:
  // On this port, or the next free one of a few when none is asked for; 0: any. Throws ConfigError
  // where the port is not to be had.
  PageServer(LiveReport& report, std::optional<int> port);
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  int port() const;
  bool is_serving() const;  // false: it has failed

 private:
  struct Serving;
  std::unique_ptr<Serving> serving_;
};

// Whether the header Host of a request names this machine as seen from itself, with any port or
// none: a page from elsewhere whose name was made to lead here asks under its own name.
bool is_local_host(std::string_view host);

}  // namespace driftless
