// `driftless watch`: to whom it answers, with what, and how it ends.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/program/program.hpp"
#include "tests/support/contains.hpp"

namespace driftless::testing {
namespace {

using Texts = std::vector<std::string>;
using nlohmann::json;

// A connection to the program; none where nobody listens.
class Connection {
 public:
  explicit Connection(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
  }
  ~Connection() { ::close(socket_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // All that comes until the other side closes.
  std::string answer_to(const std::string& request) const {
    EXPECT_EQ(::send(socket_, request.data(), request.size(), MSG_NOSIGNAL), std::ssize(request));
    std::string answer;
    std::array<char, 65536> piece{};
    for (ssize_t size = 1; size > 0; answer.append(piece.data(), static_cast<std::size_t>(size)))
      size = std::max<ssize_t>(0, ::recv(socket_, piece.data(), piece.size(), 0));
    return answer;
  }

 private:
  int socket_;
};

class Watch : public ::testing::Test {
 protected:
  Watch() {
    folder_.write("run/config.toml", "[algorithm]\nkind = \"gt\"\n[run]\nrounds = 9\n");
    folder_.write("run/metrics.csv", "round,loss\n0,5\n");
  }

  // One that should be refused, and would otherwise go on.
  Finished start(const Texts& arguments) const {
    Texts command{"/usr/bin/timeout", "60", program_path()};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return Program::command(command, folder_.path()).wait();
  }
  // Whether it comes true before long.
  static bool becomes(Program& program, const std::function<bool()>& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    bool true_now = false;
    program.lives_until([&] {
      true_now = condition();
      return true_now || std::chrono::steady_clock::now() > end;
    });
    return true_now;
  }

  // The port that the program tells.
  static int port_of(Program& program) {
    const std::string before = "http://127.0.0.1:";
    becomes(program, [&] { return contains(program.out(), "until Ctrl-C\n"); });
    const std::string out = program.out();
    const std::size_t at = out.find(before);
    return at == out.npos ? 0 : std::stoi(out.substr(at + before.size()));
  }

  static std::string ask(int port, const std::string& line,
                         const std::string& headers = "Host: localhost\r\n") {
    return Connection(port).answer_to(line + " HTTP/1.1\r\n" + headers + "\r\n");
  }
  static std::string body_of(const std::string& answer) {
    return answer.substr(answer.find("\r\n\r\n") + 4);
  }

  const TemporaryFolder folder_;
};

TEST_F(Watch, ServesThePageOfARunThatGoesOn) {
  Program watch({"watch", "run", "--port", "0"}, folder_.path());
  const int port = port_of(watch);
  const std::string page = ask(port, "GET /");
  EXPECT_TRUE(page.starts_with("HTTP/1.1 200 "));
  for (const char* header :
       {"Cache-Control: no-store", "X-Content-Type-Options: nosniff",
        "Content-Security-Policy: default-src 'none'; ", "Content-Type: text/html"}) {
    EXPECT_TRUE(contains(page.substr(0, page.find("\r\n\r\n")), header));
  }
  EXPECT_NE(page.find("function figureSpec("), page.npos);
  EXPECT_NE(page.find("\"outcome\":\"unfinished\""), page.npos);
  EXPECT_TRUE(page.ends_with("</html>\n"));
  const std::string head = ask(port, "HEAD /");
  EXPECT_TRUE(head.starts_with("HTTP/1.1 200 "));
  EXPECT_EQ(body_of(head), "");
}

// Both tables of the kernel: addresses are written as bytes from the last to the first.
TEST_F(Watch, ListensToThisMachineAlone) {
  Program watch({"watch", "run", "--port", "0"}, folder_.path());
  char port[16];
  std::snprintf(port, sizeof port, ":%04X", static_cast<unsigned>(port_of(watch)));
  Texts addresses;
  for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::ifstream lines(table);
    const std::string listening = "0A";
    std::string number, local, remote, state, rest;
    while (lines >> number >> local >> remote >> state && std::getline(lines, rest)) {
      if (state == listening && local.ends_with(port))
        addresses.push_back(local.substr(0, local.size() - 5));
    }
  }
  EXPECT_EQ(addresses, Texts{"0100007F"});
}

TEST_F(Watch, AnswersOnlyWhoAsksForThisMachineByItsOwnName) {
  Program watch({"watch", "run", "--port", "0"}, folder_.path());
  const int port = port_of(watch);
  for (const char* host : {"Host: 127.0.0.1:1\r\n", "Host: localhost:99\r\n"})
    EXPECT_TRUE(ask(port, "GET /data", host).starts_with("HTTP/1.1 200 ")) << host;
  for (const char* host : {"Host: evil.example\r\n", "Host: 127.0.0.1.evil.example\r\n", "",
                           "Host: localhost\r\nHost: evil.example\r\n"}) {
    const std::string refused = ask(port, "GET /data", host);
    EXPECT_TRUE(refused.starts_with("HTTP/1.1 403 ")) << host;
    EXPECT_EQ(refused.find("loss"), refused.npos);
  }
}

TEST_F(Watch, ServesNothingElseAndTakesNothing) {
  Program watch({"watch", "run", "--port", "0"}, folder_.path());
  const int port = port_of(watch);
  for (const char* line : {"POST /", "POST /data", "PUT /data", "DELETE /", "OPTIONS /"})
    EXPECT_TRUE(
        ask(port, line, "Host: localhost\r\nContent-Length: 0\r\n").starts_with("HTTP/1.1 405 "))
        << line;
  for (const char* line :
       {"GET /run/metrics.csv", "GET /../run/config.toml", "GET /data/", "GET //"})
    EXPECT_TRUE(ask(port, line).starts_with("HTTP/1.1 404 ")) << line;
}

TEST_F(Watch, HasNothingNewUntilRowsArrive) {
  Program watch({"watch", "run", "--port", "0"}, folder_.path());
  const int port = port_of(watch);
  const json first = json::parse(body_of(ask(port, "GET /data")));
  const std::string again = "GET /data?known=" + first["live"]["version"].get<std::string>();
  EXPECT_EQ(first["groups"][0]["curve"]["mean"]["loss"], json({5}));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const std::string nothing = ask(port, again);
  EXPECT_TRUE(nothing.starts_with("HTTP/1.1 204 ")) << nothing;
  EXPECT_EQ(body_of(nothing), "");
  std::ofstream(folder_ / "run/metrics.csv", std::ios::app) << "1,4\n";
  std::string answer;
  ASSERT_TRUE(becomes(watch, [&] {
    answer = ask(port, again);
    return answer.starts_with("HTTP/1.1 200 ");
  }));
  EXPECT_EQ(json::parse(body_of(answer))["groups"][0]["curve"]["mean"]["loss"], json({5, 4}));
}

TEST_F(Watch, WaitsForAFolderThatARunIsAboutToMake) {
  Program watch({"watch", "later", "--port", "0"}, folder_.path());
  const int port = port_of(watch);
  EXPECT_TRUE(contains(ask(port, "GET /"), "Waiting for the first row"));
  EXPECT_TRUE(contains(watch.out(), "later: holds no run yet; waiting for one\n"));
  std::filesystem::rename(folder_ / "run", folder_ / "later");
  EXPECT_TRUE(becomes(watch, [&] { return contains(ask(port, "GET /"), "function figureSpec("); }));
  watch.signal(SIGTERM);
  EXPECT_EQ(watch.wait().err, "");
}

TEST_F(Watch, GoesOnThroughFaultsAndTellsEachOnce) {
  Program watch({"watch", "run", "--port", "0"}, folder_.path());
  const int port = port_of(watch);
  const auto tells = [&](const char* part) {
    return becomes(watch, [&] { return contains(ask(port, "GET /data"), part); });
  };
  std::ofstream(folder_ / "run/metrics.csv", std::ios::app) << "1,words\n";
  EXPECT_TRUE(tells("run/metrics.csv:3: found \\\"words\\\", expected a number"));
  folder_.write("run/metrics.csv", "round,loss\n0,5\n1,4\n");
  EXPECT_TRUE(tells("\"faults\":[]"));
  std::ofstream(folder_ / "run/metrics.csv", std::ios::app) << "2,words\n";
  EXPECT_TRUE(tells("run/metrics.csv:4: found"));
  folder_.remove("run");
  EXPECT_TRUE(tells("\"awaited\":[\"run\"]"));
  watch.signal(SIGTERM);
  const Finished end = watch.wait();
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_EQ(end.err,
            "driftless: run/metrics.csv:3: found \"words\", expected a number\n"
            "driftless: run/metrics.csv:4: found \"words\", expected a number\n");
}

TEST_F(Watch, RefusesFoldersAndColumnsThatCannotBeMeant) {
  const auto refuses = [&](const Texts& arguments, const std::string& message) {
    const Finished watch = start(arguments);
    EXPECT_EQ(watch.exit_code, 2);
    EXPECT_EQ(watch.out, "");
    EXPECT_TRUE(contains(watch.err, message));
  };
  refuses({"watch"}, "folders is required");
  refuses({"watch", "nowhere/run"},
          "nowhere/run: there is no such folder, and none above it in which a run could make it");
  refuses({"watch", "run/config.toml"}, "run/config.toml: is not a folder");
  refuses({"watch", "run", "--metric", "lost"}, "--metric lost: there are round");
  refuses({"watch", "run", "--metric", "lost"}, "did you mean loss?");
  refuses({"watch", "run", "--against", "byte"}, "--against byte: expected one of round,");
  refuses({"watch", "run", "--only", "gt"}, "--only gt: expected KEY=VALUE");
  refuses({"watch", "run", "--port", "70000"}, "--port");
}

TEST_F(Watch, RefusesAPortThatAnotherHasAndFindsAFreeOneItself) {
  Program first({"watch", "run", "--port", "0"}, folder_.path());
  const std::string port = std::to_string(port_of(first));
  const Finished second = start({"watch", "run", "--port", port});
  EXPECT_EQ(second.exit_code, 2);
  EXPECT_EQ(second.err,
            "driftless: --port " + port +
                ": Address already in use; choose another, or 0 for any that is free\n");
  Program third({"watch", "run"}, folder_.path());
  Program fourth({"watch", "run"}, folder_.path());
  EXPECT_NE(port_of(third), port_of(fourth));
  EXPECT_NE(port_of(fourth), 0);
}

// Also while a browser holds a connection open on which it asks nothing.
TEST_F(Watch, EndsInPeaceWhenItIsToldTo) {
  for (const int signal : {SIGINT, SIGTERM}) {
    Program watch({"watch", "run", "--port", "0"}, folder_.path());
    const int port = port_of(watch);
    const Connection idle(port);
    EXPECT_TRUE(contains(ask(port, "GET /data"), "loss"));
    const auto begin = std::chrono::steady_clock::now();
    watch.signal(signal);
    const Finished end = watch.wait();
    EXPECT_EQ(end.exit_code, 0);
    EXPECT_EQ(end.err, "");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  }
}

}  // namespace
}  // namespace driftless::testing
