#include "driftless/cli/page_server.hpp"

#include <httplib.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

#include "driftless/base/error.hpp"
#include "driftless/report/page.hpp"

namespace driftless {
namespace {

constexpr const char* address = "127.0.0.1";

// The page brings its scripts and styles along, and Vega compiles expressions. It may ask nobody
// but this server for anything.
const httplib::Headers headers_of_all{
    {"Cache-Control", "no-store"},
    {"X-Content-Type-Options", "nosniff"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Referrer-Policy", "no-referrer"},
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; "
     "img-src data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
     "frame-ancestors 'none'"}};

// In pieces from where it lies: the library would compress it as a whole, for seconds.
void answer(httplib::Response& response, std::string text, const char* type) {
  const auto shared = std::make_shared<const std::string>(std::move(text));
  response.set_content_provider(
      shared->size(), type,
      [shared](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
        return sink.write(shared->data() + offset, length);
      });
}

// What is asked of this server from this machine, and nothing else.
httplib::Server::HandlerResponse refuse_strangers(const httplib::Request& request,
                                                  httplib::Response& response) {
  using Next = httplib::Server::HandlerResponse;
  const auto refuse = [&](int status, const char* why) {
    response.status = status;
    response.set_content(why, "text/plain");
    return Next::Handled;
  };
  if (request.get_header_value_count("Host") != 1 ||
      !is_local_host(request.get_header_value("Host"))) {
    return refuse(403, "Ask for localhost or 127.0.0.1, from the machine itself.\n");
  }
  if (request.method == "GET" || request.method == "HEAD") return Next::Unhandled;
  response.set_header("Allow", "GET, HEAD");
  return refuse(405, "There is only something to read here: GET or HEAD.\n");
}

// A port that was taken a moment ago may be taken again, but not one that another has now; the
// library's own options would share it.
void set_socket_options(socket_t socket) {
  const int yes = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
}

int bound_port(httplib::Server& server, std::optional<int> asked) {
  constexpr int first = 8765;
  constexpr int tried = 20;
  if (asked == 0) return server.bind_to_any_port(address);
  if (asked) {
    errno = 0;
    if (server.bind_to_port(address, *asked)) return *asked;
    throw ConfigError("--port {}: {}; choose another, or 0 for any that is free", *asked,
                      std::generic_category().message(errno));
  }
  for (int port = first; port < first + tried; ++port)
    if (server.bind_to_port(address, port)) return port;
  return server.bind_to_any_port(address);
}

}  // namespace

bool is_local_host(std::string_view host) {
  const std::size_t colon = host.find(':', host.starts_with('[') ? host.find(']') : 0);
  const std::string_view name = host.substr(0, colon);
  if (colon != host.npos &&
      host.substr(colon + 1).find_first_not_of("0123456789") != std::string_view::npos) {
    return false;
  }
  return name == "localhost" || name == "127.0.0.1" || name == "[::1]";
}

struct PageServer::Serving {
  httplib::Server server;
  int port = 0;
  std::atomic<bool> ended = false;
  std::thread thread;
};

PageServer::PageServer(LiveReport& report, std::optional<int> port)
    : serving_(std::make_unique<Serving>()) {
  httplib::Server& server = serving_->server;
  server.set_socket_options(set_socket_options);
  server.set_default_headers(headers_of_all);
  server.set_pre_routing_handler(refuse_strangers);
  // A connection that is kept would keep the program from ending.
  server.set_keep_alive_max_count(1);
  server.set_keep_alive_timeout(1);
  server.Get("/", [&report](const httplib::Request&, httplib::Response& response) {
    const auto newest = report.newest();
    answer(response, report_page(newest->data), "text/html; charset=utf-8");
  });
  server.Get("/data", [&report](const httplib::Request& request, httplib::Response& response) {
    const auto newest = report.newest();
    if (request.get_param_value("known") == newest->version) {
      response.status = 204;
    } else {
      answer(response, json_for_script(newest->data), "application/json");
    }
  });
  serving_->port = bound_port(server, port);
  if (serving_->port < 0) {
    throw std::system_error(errno, std::generic_category(), std::string("listening on ") + address);
  }
  serving_->thread = std::thread([this] {
    serving_->server.listen_after_bind();
    serving_->ended = true;
  });
  // A server that is told to stop before it runs would not hear it.
  while (!server.is_running() && is_serving())
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

PageServer::~PageServer() {
  serving_->server.stop();
  serving_->thread.join();
}

int PageServer::port() const { return serving_->port; }

bool PageServer::is_serving() const { return !serving_->ended; }

}  // namespace driftless
