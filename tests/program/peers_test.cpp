// `driftless peer`: five sites, each a process with a folder of its own, that talk TLS on loopback.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <memory>

#include "tests/program/program.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/site_files.hpp"

namespace driftless::testing {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

constexpr int sites = 5;

std::string name_of(int site) { return fmt::format("clinic-{}", "abcde"[site]); }

// A port that nobody listens on, and that no connection going out is given: those begin at 32768.
int free_port() {
  static int next = 20000 + getpid() % 1200 * 10;
  for (;;) {
    const int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(next));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool free =
        bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    close(descriptor);
    const int port = next;
    next = port == 31999 ? 20000 : port + 1;
    if (free) return port;
  }
}

class PeerProgram : public ::testing::Test {
 protected:
  PeerProgram() {
    write_sites(folder_);
    write_study(20);
    const Finished certs = run_program(
        {"peer", "certs", "--names", "clinic-a,clinic-b,clinic-c,clinic-d,clinic-e", "--out", "c"},
        folder_.path());
    EXPECT_EQ(certs.exit_code, 0) << certs.err;
    EXPECT_TRUE(contains(certs.err, "warning: all keys were made on this machine"));
    for (int& port : ports_) port = free_port();
    for (int site = 0; site < sites; ++site) write_home(site);
  }

  void write_study(int rounds, const std::string& method = "kind = 'k-gt'",
                   const std::string& more = "") {
    study_ = fmt::format(
        "[problem]\nkind = 'logistic'\ndata = 'site-{{node}}.csv'\ntest_data = "
        "'test-{{node}}.csv'\n"
        "label = 'risk'\nstandardise = true\nvalidation = 0.2\nweighting = 'samples'\nbatch = 8\n"
        "[network]\nnodes = 5\n"
        "[algorithm]\n{}\nlocal_steps = 3\nlocal_rate = 0.1\n"
        "[run]\nrounds = {}\nevaluate_every = 4\n{}",
        method, rounds, more);
    folder_.write("study.toml", study_);
    for (int site = 0; site < sites; ++site) {
      folder_.write(fmt::format("home-{}/study.toml", site), study_);
    }
  }
  // What a site has of its own: its data, its key, and a file that says where the others are.
  void write_home(int site) {
    const std::string home = fmt::format("home-{}/", site);
    const std::string name = name_of(site);
    for (const char* kind : {"site", "test"}) {
      folder_.write(home + kind + ".csv",
                    contents_of(folder_ / fmt::format("{}-{}.csv", kind, site)));
    }
    for (const std::string& file : {std::string("authority.pem"), name + ".pem", name + ".key"}) {
      folder_.write(home + file, contents_of(folder_ / "c" / file));
    }
    fs::permissions(folder_ / (home + name + ".key"),
                    fs::perms::owner_read | fs::perms::owner_write);
    std::string config = fmt::format(
        "[experiment]\nfile = 'study.toml'\n[peer]\nname = '{0}'\n"
        "sites = ['clinic-a', 'clinic-b', 'clinic-c', 'clinic-d', 'clinic-e']\n"
        "listen = '127.0.0.1:{1}'\ndata = 'site.csv'\ntest_data = 'test.csv'\n"
        "certificate = '{0}.pem'\nkey = '{0}.key'\nauthority = 'authority.pem'\n{2}"
        "[peer.addresses]\n",
        name, ports_[site], more_);
    for (const int other : {(site + 1) % sites, (site + sites - 1) % sites}) {
      config += fmt::format("{} = '127.0.0.1:{}'\n", name_of(other), ports_[other]);
    }
    folder_.write(home + "site.toml", config);
  }

  fs::path home(int site) const { return folder_ / fmt::format("home-{}", site); }
  std::unique_ptr<Program> start(int site, const Texts& more = {}) const {
    Texts arguments{"peer", "run", "site.toml", "--out", "out"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return std::make_unique<Program>(arguments, home(site));
  }
  Finished peer(const Texts& words, int site = 0) const {
    Texts arguments{"peer"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    return run_program(arguments, home(site));
  }
  // All sites, in this order.
  void start_all(const std::vector<int>& order = {3, 0, 4, 1, 2}) {
    running_.resize(sites);
    for (const int site : order) running_[static_cast<std::size_t>(site)] = start(site);
  }
  void expect_all_end_well() {
    for (auto& each : running_) {
      const Finished finished = each->wait();
      EXPECT_EQ(finished.exit_code, 0) << finished.err;
    }
  }
  // Each site's model is its row of the run in one process.
  void expect_the_bits_of_one_process() {
    const Finished one =
        run_program({"run", "study.toml", "--out", "one", "--quiet"}, folder_.path());
    ASSERT_EQ(one.exit_code, 0) << one.err;
    const Eigen::MatrixXd all = read_npy(folder_ / "one/nodes.npy");
    for (int site = 0; site < sites; ++site) {
      const Eigen::MatrixXd own = read_npy(home(site) / "out/node.npy");
      ASSERT_EQ(own.size(), all.cols());
      EXPECT_EQ(Eigen::RowVectorXd(own.reshaped().transpose()), Eigen::RowVectorXd(all.row(site)))
          << name_of(site);
    }
  }
  static bool has_reached(const fs::path& csv, int round) {
    if (!fs::exists(csv)) return false;
    return contents_of(csv).find(fmt::format("\n{},", round)) != std::string::npos;
  }

  TemporaryFolder folder_;
  std::string study_;
  std::string more_;
  int ports_[sites] = {};
  std::vector<std::unique_ptr<Program>> running_;
};

TEST_F(PeerProgram, EachSiteHasItsRowOfTheRunInOneProcess) {
  start_all();
  expect_all_end_well();
  expect_the_bits_of_one_process();
  const std::string told = contents_of(home(0) / "out/sites.csv");
  for (int site = 1; site < sites; ++site) {
    EXPECT_EQ(contents_of(home(site) / "out/sites.csv"), told) << "all have the table of all";
  }
  const Table table = read_csv(home(0) / "out/sites.csv");
  ASSERT_EQ(table.rows.size(), 6U * sites);
  const std::size_t last = 5U * sites;  // the first row of the last round
  EXPECT_EQ(table.text(last, "round"), "20");
  EXPECT_EQ(table.text(1, "site"), "clinic-b");
  EXPECT_LT(table.number(last, "loss"), table.number(0, "loss"));
  EXPECT_GT(table.number(last, "test_accuracy"), 0.5);
}

TEST_F(PeerProgram, GoesOnWithTheSameBitsAfterKillNine) {
  write_study(600);
  start_all();
  for (const int victim : {2, 0, 2}) {
    const int seen = victim == 2 ? 40 : 80;
    auto& program = running_[static_cast<std::size_t>(victim)];
    ASSERT_TRUE(
        program->lives_until([&] { return has_reached(home(victim) / "out/sites.csv", seen); }));
    const Finished status = peer({"status", "site.toml", "--out", "out"}, victim);
    EXPECT_TRUE(contains(status.out, "of 600 rounds are done")) << status.err;
    program->signal(SIGKILL);
    EXPECT_EQ(program->wait().exit_code, -SIGKILL);
    program = start(victim);
  }
  expect_all_end_well();
  expect_the_bits_of_one_process();
  const Table table = read_csv(home(2) / "out/sites.csv");
  EXPECT_EQ(table.rows.size(), 151U * sites) << "no round twice, none left out";
}

TEST_F(PeerProgram, StopsBetweenRoundsAndGoesOn) {
  write_study(400);
  start_all();
  auto& one = running_[1];
  ASSERT_TRUE(one->lives_until([&] { return has_reached(home(1) / "out/sites.csv", 20); }));
  one->signal(SIGTERM);
  const Finished stopped = one->wait();
  EXPECT_EQ(stopped.exit_code, 128 + SIGTERM);
  EXPECT_TRUE(contains(stopped.err, "it goes on when it is started again"));
  one = start(1);
  expect_all_end_well();
  expect_the_bits_of_one_process();
  const Finished again = start(1)->wait();
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_TRUE(contains(again.err, "holds this run, finished"));
  const Finished status = peer({"status", "site.toml", "--out", "out"}, 1);
  EXPECT_TRUE(contains(status.out, "clinic-b        400 of 400 rounds are done"));
  EXPECT_TRUE(contains(status.out, "clinic-a        left for"));
  EXPECT_TRUE(contains(peer({"status", "site.toml"}, 1).err, "no site runs, or ran"));
}

TEST_F(PeerProgram, EndsWhenANeighbourIsAwayForTooLong) {
  more_ = "dead_after = '1s'\n";
  write_home(0);
  const Finished lonely = start(0)->wait();
  EXPECT_EQ(lonely.exit_code, 1);
  EXPECT_TRUE(contains(lonely.err, "has not answered for 1 seconds"));
  EXPECT_TRUE(contains(lonely.err, "start again to go on"));
}

TEST_F(PeerProgram, StopsWhileItWaits) {
  const auto lonely = start(0);
  ASSERT_TRUE(lonely->lives_until_there(home(0) / "out/status.json"));
  lonely->signal(SIGTERM);
  EXPECT_EQ(lonely->wait().exit_code, 128 + SIGTERM);
}

TEST_F(PeerProgram, ChecksItsFilesAndItsNeighbours) {
  const auto other = start(1);
  ASSERT_TRUE(other->lives_until([&] {
    return peer({"check", "site.toml"}).out.find("clinic-b        authenticated") !=
           std::string::npos;
  }));
  const Finished check = peer({"check", "site.toml"});
  EXPECT_EQ(check.exit_code, 1) << "one neighbour is there, and one is not";
  EXPECT_TRUE(contains(check.out, "certificate     valid for 90 more days"));
  EXPECT_TRUE(contains(check.out, "data            can be read"));
  EXPECT_TRUE(contains(check.out, "clinic-b        authenticated, and has the same study;"));
  EXPECT_TRUE(contains(check.out, "clinic-e        127.0.0.1:"));
  EXPECT_TRUE(contains(check.out, "Connection refused"));
  folder_.write("home-0/study.toml", study_ + "seed = 2\n");
  EXPECT_TRUE(contains(peer({"check", "site.toml"}).out, "clinic-b        has another study"));
  other->signal(SIGTERM);
  other->wait();
}

TEST_F(PeerProgram, RefusesWhatSitesCannotRun) {
  const auto refused = [&](const std::string& words) {
    const Finished finished = start(0)->wait();
    EXPECT_EQ(finished.exit_code, 2) << finished.err;
    EXPECT_TRUE(contains(finished.err, words));
    EXPECT_FALSE(fs::exists(home(0) / "out")) << "nothing was written";
  };
  write_study(20, "kind = 'scaffold'");
  refused(
      "algorithm.kind = \"scaffold\" goes through a server, and sites have none: take another "
      "method");
  write_study(20, "kind = 'k-gt'\ninitial_correction = 'gradient'");
  refused("initial_correction = \"gradient\" begins with a mean through a server");
  write_study(20, "kind = 'k-gt'", "[faults]\ndrop = 0.1\n");
  refused("[faults] are for trials in one process");
  write_study(20, "kind = 'k-gt'", "[sweep]\n\"algorithm.local_rate\" = [0.1, 0.2]\n");
  refused("sites do one run together");
}

TEST_F(PeerProgram, WritesNothingIntoAFolderOfOtherFiles) {
  const Finished finished = run_program({"peer", "run", "site.toml", "--out", "."}, home(0));
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_TRUE(contains(finished.err, "which no run of a site left there; give another --out"));
  EXPECT_EQ(contents_of(home(0) / "study.toml"), study_);
  EXPECT_FALSE(fs::exists(home(0) / "status.json"));
}

TEST_F(PeerProgram, NamesEveryFaultOfASitesFileWithItsLine) {
  folder_.write("home-0/site.toml",
                "[experiment]\nfile = 'study.toml'\n[peer]\nname = 'clinic-x'\n"
                "sites = ['clinic-a', 'clinic-b']\nlisten = 'here'\nkee = 'a.key'\n"
                "authority = 'authority.pem'\ncertificate = 'clinic-a.pem'\ndead_after = 'soon'\n"
                "[peer.addresses]\nclinic-z = 'a:1'\n");
  const Finished finished = start(0)->wait();
  EXPECT_EQ(finished.exit_code, 2);
  for (const char* words :
       {"site.toml:7: unknown key peer.kee; did you mean key?",
        "site.toml:4: peer.name = \"clinic-x\" is not in peer.sites", "peer.key must be given",
        "site.toml:6: peer.listen: \"here\" is no address",
        "site.toml:10: peer.dead_after: \"soon\" is no time",
        "site.toml:12: peer.addresses.clinic-z is no other site of peer.sites"}) {
    EXPECT_TRUE(contains(finished.err, words));
  }
}

TEST_F(PeerProgram, MakesNoCertificatesOverOthers) {
  const Finished again =
      run_program({"peer", "certs", "--names", "a", "--out", "c"}, folder_.path());
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_TRUE(contains(again.err, "is not empty"));
  const Finished bad =
      run_program({"peer", "certs", "--names", "a b", "--out", "d"}, folder_.path());
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_FALSE(fs::exists(folder_ / "d"));
}

}  // namespace
}  // namespace driftless::testing
