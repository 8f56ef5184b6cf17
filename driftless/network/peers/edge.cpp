#include "driftless/network/peers/edge.hpp"

#include <chrono>
#include <utility>

namespace driftless::peers {
namespace {

std::chrono::duration<double> duration(double seconds) {
  return std::chrono::duration<double>(seconds);
}

}  // namespace

Edge::Edge(const Session::Settings& settings, Session::Identity identity)
    : own_(identity.own),
      neighbour_(identity.neighbour),
      session_(settings, std::move(identity)),
      since_(now()) {}

Edge::Edge(const Session::Settings& settings, Session::Identity identity, Session::Memory memory)
    : own_(identity.own),
      neighbour_(identity.neighbour),
      session_(settings, std::move(identity), std::move(memory)),
      since_(now()) {}

bool Edge::post(std::uint64_t tag, const std::shared_ptr<Body>& body, double seconds) {
  {
    std::unique_lock lock(mutex_);
    if (!condition_.wait_for(lock, duration(seconds), [&] { return session_.has_room(); })) {
      return false;
    }
    session_.post(tag, body);
  }
  wake();
  return true;
}

std::optional<Incoming> Edge::take(double seconds) {
  std::optional<Incoming> incoming;
  {
    std::unique_lock lock(mutex_);
    condition_.wait_for(lock, duration(seconds), [&] {
      incoming = session_.take();
      return incoming.has_value();
    });
  }
  if (incoming) wake();
  return incoming;
}

void Edge::give_back(std::shared_ptr<Body> body) {
  const std::lock_guard lock(mutex_);
  session_.give_back(std::move(body));
}

Session::Memory Edge::remember() const {
  const std::lock_guard lock(mutex_);
  return session_.remember();
}

void Edge::keep(const Session::Memory& memory) {
  with_session([&](Session& session) { session.keep(memory); });
  wake();
}

void Edge::allow(std::uint64_t most_bytes) {
  with_session([&](Session& session) { session.allow(most_bytes); });
}

void Edge::say_bye() {
  with_session([](Session& session) { session.say_bye(); });
  wake();
}

bool Edge::wait_until_closed(double seconds) {
  std::unique_lock lock(mutex_);
  return condition_.wait_for(lock, duration(seconds), [&] { return closed_; });
}

std::string Edge::why_over() const {
  const std::lock_guard lock(mutex_);
  if (session_.has_left()) return neighbour_ + " has left";
  if (session_.begins_anew()) return neighbour_ + " has begun anew, without what it had";
  return "";
}

void Edge::refuse(const std::string& reason) {
  with_session([&](Session& session) { session.refuse(reason); });
  note(neighbour_ + " is refused: it " + reason);
  wake();
}

EdgeStatus Edge::status() const {
  const std::lock_guard lock(mutex_);
  const bool up = session_.is_up();
  return {.up = up,
          .met = session_.has_met(),
          .left = session_.has_left(),
          .closed = closed_,
          .since = since_,
          .epoch = session_.epoch(),
          .connections = session_.connections(),
          .bytes_out = session_.bytes_out(),
          .letters_waiting = session_.letters_waiting(),
          .tag_there = session_.tag_there(),
          .trouble = up ? "" : trouble_};
}

void Edge::set_wake(std::function<void()> wake) {
  const std::lock_guard lock(mutex_);
  wake_ = std::move(wake);
}

void Edge::wake() const {
  std::unique_lock lock(mutex_);
  const std::function<void()> wake = wake_;
  lock.unlock();
  wake();
}

void Edge::changed() {
  {
    const std::lock_guard lock(mutex_);
    if (session_.is_up() != was_up_) {
      was_up_ = session_.is_up();
      since_ = now();
    }
    if (!session_.has_left()) closed_ = false;  // a neighbour that left has come again
  }
  condition_.notify_all();
}

void Edge::note(const std::string& trouble) {
  const std::lock_guard lock(mutex_);
  trouble_ = trouble;
}

void Edge::connection_ended(bool well) {
  {
    const std::lock_guard lock(mutex_);
    session_.lost();
    if (well) closed_ = true;
  }
  changed();
}

}  // namespace driftless::peers
