#include "driftless/network/peers/site_mail.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/base/processes.hpp"

namespace driftless::peers {
namespace {

constexpr double look_seconds = 0.1;
constexpr double first_notice = 5;  // seconds; each later one takes twice as long

}  // namespace

// For one neighbour.
class SiteMail::Wait {
 public:
  Wait(const Edge& edge, const Patience& patience) : edge_(edge), patience_(patience) {}

  // Throws when patience ends; tells whom we wait for.
  void look() {
    if (patience_.wants_stop && patience_.wants_stop()) throw Stopped();
    const double waited = now() - since_;
    if (waited > patience_.seconds) {
      throw SilentProcess(fmt::format("{} has not answered for {:g} seconds{}", edge_.neighbour(),
                                      patience_.seconds, state()));
    }
    if (waited < notice_at_ || !patience_.notice) return;
    notice_at_ *= 2;
    patience_.notice(fmt::format("waiting for {}{}", edge_.neighbour(), state()));
  }
  double seconds() const { return std::min(look_seconds, patience_.seconds); }

 private:
  std::string state() const {
    const EdgeStatus status = edge_.status();
    return status.up ? ", which is there and at work" : ": " + status.trouble;
  }

  const Edge& edge_;
  const Patience& patience_;
  double since_ = now();
  double notice_at_ = first_notice;
};

void SiteMail::post(const std::vector<int>& sites, const std::shared_ptr<Body>& body) {
  for (const int site : sites) {
    Wait wait(edge(site), patience_);
    while (!edge(site).post(exchange_, body, wait.seconds())) {
      if (const std::string over = edge(site).why_over(); !over.empty()) throw SilentProcess(over);
      wait.look();
    }
  }
}

std::shared_ptr<Body> SiteMail::take(int site, std::size_t size) {
  Wait wait(edge(site), patience_);
  for (;;) {
    const auto in = edge(site).take(wait.seconds());
    if (!in) {
      if (const std::string over = edge(site).why_over(); !over.empty()) throw SilentProcess(over);
      wait.look();
      continue;
    }
    if (in->news == News::up || in->news == News::down) continue;
    if (in->news == News::left) throw SilentProcess(edge(site).neighbour() + " has left");
    if (starts_over(in->news)) {
      throw SilentProcess(edge(site).neighbour() + " has begun anew, without what it had");
    }
    const Letter& letter = in->letter;
    if (letter.tag == exchange_ && letter.body->size() == size) return letter.body;
    const std::string fault =
        fmt::format("sends {} bytes for exchange {}, where {} bytes for {} are due",
                    letter.body->size(), letter.tag, size, exchange_);
    edge(site).refuse(fault);
    throw SilentProcess(edge(site).neighbour() + " " + fault);
  }
}

}  // namespace driftless::peers
