// Whatever is wrong with the request, the program says so in one clear paragraph, exits with 2 and
// leaves nothing behind.
#include <gtest/gtest.h>

#include "tests/program/program.hpp"

namespace driftless::testing {
namespace {

using Texts = std::vector<std::string>;

struct BadInput {
  std::string name;
  std::string config;                                           // bad.toml
  Texts words;                                                  // what the message must hold
  std::vector<std::pair<std::string, std::string>> files = {};  // beside it
  Texts arguments = {"run", "bad.toml", "--out", "out"};
};

std::ostream& operator<<(std::ostream& out, const BadInput& bad) { return out << bad.name; }

class BadInputs : public ::testing::TestWithParam<BadInput> {};

TEST_P(BadInputs, AreRefusedInAParagraphAndLeaveNothing) {
  const BadInput& bad = GetParam();
  const TemporaryFolder folder;
  folder.write("bad.toml", bad.config);
  for (const auto& [name, contents] : bad.files) folder.write(name, contents);
  const Texts before = listing(folder.path());

  const Finished run = run_program(bad.arguments, folder.path());
  EXPECT_EQ(run.exit_code, 2) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(listing(folder.path()), before) << "something was left behind";

  EXPECT_TRUE(run.err.starts_with("driftless: ")) << run.err;
  EXPECT_TRUE(run.err.ends_with('\n')) << run.err;
  EXPECT_EQ(run.err.find("\n\n"), std::string::npos) << "more than a paragraph: " << run.err;
  EXPECT_LE(run.err.size(), 800U) << "a paragraph that nobody reads: " << run.err;
  for (const std::string& word : bad.words) {
    EXPECT_NE(run.err.find(word), std::string::npos) << word << " is not in: " << run.err;
  }
  for (const char* inner : {"terminate", "what()", "exception", "std::", "basic_", "Assertion"}) {
    EXPECT_EQ(run.err.find(inner), std::string::npos) << run.err;
  }
}

// The sections that a config cannot do without, for cases that are about the others.
const std::string algorithm = "[algorithm]\nkind = 'k-gt'\nlocal_rate = 1e-3\n";
const std::string run = "[run]\nrounds = 3\n";
const std::string needed = algorithm + run;
const std::string with_problem = "[problem]\nfile = 'p.json'\n" + needed;
const std::string with_matrix = "[network]\nfile = 'w.mtx'\n" + needed;
const std::string with_edges = "[network]\nfile = 'edges.txt'\n" + needed;
const std::string good_problem = R"({"A": [[[1]], [[2]], [[3]]], "b": [[1], [2], [3]]})";

std::string dense(const std::string& numbers, const std::string& size = "3 3") {
  return "%%MatrixMarket matrix array real general\n" + size + "\n" + numbers;
}
const std::string pair_matrix = dense("0.5\n0.5\n0.5\n0.5\n", "2 2");

std::vector<BadInput> config_texts() {
  return {
      {"TruncatedToml", "[problem]\nkind = \"least_squ", {"bad.toml:2", "not TOML"}},
      {"TruncatedTable", "[problem", {"bad.toml:1", "not TOML"}},
      {"DuplicateKey", "[problem]\ndim = 2\ndim = 3\n" + needed, {"bad.toml:3", "dim"}},
      {"DuplicateSection", needed + run, {"bad.toml:6", "run"}},
      {"BinaryGarbage", std::string("\x7f\x45\x4c\x46\x02\x00\xff\xfe", 8), {"bad.toml:1"}},
      {"TextOfAnotherCoding", std::string("\xff\xfe[\0r\0u\0n\0]\0", 12), {"bad.toml:1"}},
      {"EmptyConfig", "", {"bad.toml", "algorithm.kind", "missing", "run.rounds"}},
      {"IntegerBeyond64Bits", needed + "seed = 99999999999999999999\n", {"bad.toml:6", "not TOML"}},
      {"UnknownSection",
       "[nettwork]\nnodes = 3\n" + needed,
       {"bad.toml:1", "did you mean network?"}},
      {"UnknownKey", "[problem]\ncolour = 3\n" + needed, {"bad.toml:2", "problem.colour", "dim"}},
      {"MistypedKey",
       "[network]\nnode = 3\n" + needed,
       {"bad.toml:2", "did you mean network.nodes?"}},
      {"MistypedMethod",
       "[algorithm]\nkind = 'kgt'\nlocal_rate = 1\n" + run,
       {"bad.toml:2", "algorithm.kind", "did you mean k-gt"}},
      {"MistypedTopology",
       "[network]\ntopology = 'rinng'\n" + needed,
       {"bad.toml:2", "network.topology", "did you mean ring?"}},
      {"TextForANumber",
       "[problem]\nnoise = 'loud'\n" + needed,
       {"bad.toml:2", "problem.noise", "expected a number"}},
      {"FloatForAnInteger", algorithm + "[run]\nrounds = 2.5\n", {"bad.toml:5", "run.rounds"}},
      {"ListForANumber",
       "[problem]\nnoise = [0, 1]\n" + needed,
       {"bad.toml:2", "problem.noise", "[sweep]"}},
      {"SeveralFaults",
       "[problem]\ndim = 0\nnoise = -1\n[network]\nnodes = 'ten'\n" + needed,
       {"3 faults", "bad.toml:2", "bad.toml:3", "bad.toml:5"}},
  };
}

std::vector<BadInput> impossible_values() {
  return {
      {"NotANumber",
       "[problem]\nnoise = nan\n" + needed,
       {"bad.toml:2", "problem.noise", "finite"}},
      {"InfiniteRate",
       "[algorithm]\nkind = 'k-gt'\nlocal_rate = inf\n" + run,
       {"bad.toml:3", "algorithm.local_rate", "finite"}},
      {"NegativeDimension", "[problem]\ndim = -5\n" + needed, {"bad.toml:2", "problem.dim = -5"}},
      {"NegativeNodes", "[network]\nnodes = -1\n" + needed, {"bad.toml:2", "network.nodes = -1"}},
      {"HugeDimension",
       "[problem]\ndim = 1_000_000_000_000\n" + needed,
       {"bad.toml:2", "problem.dim", "at most"}},
      {"HugeNodes",
       "[network]\nnodes = 1_000_000_000\n" + needed,
       {"bad.toml:2", "network.nodes", "at most"}},
      {"MoreThanTheMemory",
       "[problem]\ndim = 1_000_000_000\n[network]\nnodes = 1000\n" + needed,
       {"problem.dim", "1000 nodes", "memory"}},
      {"TooManyEdges",
       "[network]\ntopology = 'complete'\nnodes = 1_000_000\n" + needed,
       {"bad.toml:2", "complete", "1000000 nodes", "edges"}},
      {"NegativeRate",
       "[algorithm]\nkind = 'k-gt'\nlocal_rate = -0.1\n" + run,
       {"bad.toml:3", "algorithm.local_rate"}},
      {"NoRate", "[algorithm]\nkind = 'k-gt'\n" + run, {"bad.toml:1", "local_rate is missing"}},
      {"NoRounds", algorithm, {"bad.toml", "run.rounds is missing"}},
      {"NegativeSeed", needed + "seed = -1\n", {"bad.toml:6", "run.seed"}},
      {"NegativeTarget", needed + "target = -1e-3\n", {"bad.toml:6", "run.target"}},
      {"NoRepetitions", needed + "repetitions = 0\n", {"bad.toml:6", "run.repetitions"}},
  };
}

std::vector<BadInput> impossible_combinations() {
  return {
      {"LocalStepsOfGt",
       "[algorithm]\nkind = 'gt'\nlocal_rate = 1e-3\nlocal_steps = 20\n" + run,
       {"bad.toml:4", "algorithm.local_steps", "one step a round"}},
      {"LazyKGt", algorithm + "lazy = true\n" + run, {"bad.toml:4", "algorithm.lazy", "d2 or led"}},
      {"CommunicationRateOfLed",
       "[algorithm]\nkind = 'led'\nlocal_rate = 1e-3\ncommunication_rate = 1\n" + run,
       {"bad.toml:4", "algorithm.communication_rate", "led"}},
      {"HypercubeOfTen",
       "[network]\ntopology = 'hypercube'\nnodes = 10\n" + needed,
       {"bad.toml:2", "hypercube", "10 nodes", "power of two", "8 or 16"}},
      {"TorusThatDoesNotFit",
       "[network]\ntopology = 'torus'\nrows = 3\ncolumns = 5\n" + needed,
       {"bad.toml:2", "torus", "10 nodes"}},
      {"OddRandomRegular",
       "[network]\ntopology = 'random_regular'\nnodes = 9\ndegree = 3\n" + needed,
       {"bad.toml:2", "random_regular", "9 nodes of degree 3", "even"}},
      {"GraphThatIsHardlyEverConnected",
       "[network]\ntopology = 'erdos_renyi'\nnodes = 200\nedge_probability = 1e-4\n" + needed,
       {"erdos_renyi", "200 nodes", "raise edge_probability"}},
      {"SweepWithoutValues",
       needed + "[sweep]\nproblem.dim = []\n",
       {"bad.toml:7", "problem.dim", "empty list"}},
      {"SweepOfAnUnknownKey",
       needed + "[sweep]\n'algorithm.knd' = ['gt']\n",
       {"bad.toml:7", "did you mean algorithm.kind?"}},
      {"SweepWithOneBadCombination",
       algorithm + "local_steps = 5\n" + run + "[sweep]\nalgorithm.kind = ['k-gt', 'gt']\n",
       {"bad.toml:4", "with algorithm.kind = \"gt\""}},
      {"SweepOverABadTopology",
       needed + "[sweep]\nnetwork.topology = ['ring', 'hypercube']\n",
       {"bad.toml:7", "hypercube", "power of two"}},
  };
}

std::vector<BadInput> problem_files() {
  const auto bad = [](std::string name, std::string json, Texts words) {
    words.emplace_back("p.json");
    return BadInput{std::move(name), with_problem, std::move(words), {{"p.json", std::move(json)}}};
  };
  return {
      {"MissingProblem", with_problem, {"p.json", "No such file"}},
      {"ProblemThatIsAFolder", with_problem, {"p.json", "folder"}, {{"p.json/file", ""}}},
      bad("EmptyProblem", "", {"JSON", "empty"}),
      bad("TruncatedJson", R"({"A": [[[1, 2]], [[3)", {"JSON", "line 1"}),
      bad("JsonWithNan", R"({"A": [[[NaN]]], "b": [[1]]})", {"JSON", "line 1"}),
      bad("JsonBeyondDoubles", R"({"A": [[[1e999]]], "b": [[1]]})", {"JSON", "1e999"}),
      bad("JsonWithText", R"({"A": [[["one"]]], "b": [[1]]})", {"A[0][0][0]", "number", "string"}),
      bad("JsonWithoutB", R"({"A": [[[1]]]})", {"\"b\"", "missing"}),
      bad("JsonThatIsAList", "[1, 2]", {"\"A\" and \"b\""}),
      bad("JsonWithAnUnknownKey", R"({"A": [[[1]]], "b": [[1]], "c": 3})",
          {"\"c\"", "unknown key"}),
      bad("RaggedMatrix", R"({"A": [[[1, 2], [3]]], "b": [[1, 2]]})", {"A[0][1]", "expected 2"}),
      bad("NodesWithoutTargets", R"({"A": [[[1]], [[2]]], "b": [[1]]})", {"b", "1 node", "2"}),
      bad("StartOfAnotherSize", R"({"A": [[[1]]], "b": [[1]], "x0": [1, 2]})",
          {"x0", "expected 1"}),
      {"ProblemAndNodesDisagree",
       "[problem]\nfile = 'p.json'\n[network]\nnodes = 4\n" + needed,
       {"p.json", "3 nodes", "network.nodes = 4"},
       {{"p.json", good_problem}}},
      {"ProblemAndMatrixDisagree",
       "[problem]\nfile = 'p.json'\n[network]\nfile = 'w.mtx'\n" + needed,
       {"w.mtx", "2 nodes", "p.json", "3"},
       {{"p.json", good_problem}, {"w.mtx", pair_matrix}}},
      {"ProblemThatDoesNotFitItsTopology",
       "[problem]\nfile = 'p.json'\n[network]\ntopology = 'hypercube'\n" + needed,
       {"hypercube", "3 nodes", "power of two"},
       {{"p.json", good_problem}}},
      {"ScaffoldWithDistinctStarts",
       "[problem]\nfile = 'p.json'\n[algorithm]\nkind = 'scaffold'\nlocal_rate = 1e-3\n" + run,
       {"p.json", "scaffold", "x0"},
       {{"p.json", R"({"A": [[[1]], [[2]]], "b": [[1], [2]], "x0": [[1], [2]]})"}}},
      {"OneOfTheMethodsCannotHaveDistinctStarts",
       with_problem + "[sweep]\nalgorithm.kind = ['k-gt', 'scaffold']\n",
       {"p.json", "scaffold", "x0"},
       {{"p.json", R"({"A": [[[1]], [[2]]], "b": [[1], [2]], "x0": [[1], [2]]})"}}},
  };
}

std::vector<BadInput> mixing_files() {
  const auto bad = [](std::string name, std::string matrix, Texts words) {
    words.emplace_back("w.mtx");
    return BadInput{std::move(name), with_matrix, std::move(words), {{"w.mtx", std::move(matrix)}}};
  };
  return {
      {"MissingMatrix", with_matrix, {"w.mtx", "No such file"}},
      {"MatrixThatIsAFolder", with_matrix, {"w.mtx", "folder"}, {{"w.mtx/file", ""}}},
      bad("EmptyMatrix", "", {"empty"}),
      bad("MatrixThatIsText", "hello\nworld\n", {"w.mtx:1", "%%MatrixMarket"}),
      bad("RowOffByAThousandth", dense("0.501\n0.5\n0\n0.5\n0\n0.5\n0\n0.5\n0.5\n"),
          {"row 0 sums to 1.001", "expected 1"}),
      bad("Asymmetric", dense("0.5\n0.5\n0\n0\n0.5\n0.5\n0.5\n0\n0.5\n"), {"not symmetric"}),
      bad("NegativeWeight", dense("1.5\n-0.5\n0\n-0.5\n1\n0.5\n0\n0.5\n0.5\n"),
          {"row 0", "negative"}),
      bad("WeightThatIsNoNumber", dense("nan\n0.5\n0\n0.5\n0\n0.5\n0\n0.5\n0.5\n"), {"nan"}),
      bad("DisconnectedMatrix", dense("1\n0\n0\n0\n0.5\n0.5\n0\n0.5\n0.5\n"),
          {"not connected", "node 0", "node 1"}),
      bad("NonSquareMatrix", dense("1\n0\n0\n1\n0\n1\n", "3 2"), {"w.mtx:2", "square"}),
      bad("HeaderThatClaimsMore", dense("0.5\n0.5\n0.5\n0.5\n"), {"4 of 9 entries"}),
      bad("HeaderThatClaimsLess", dense("1\n1\n", "1 1"), {"w.mtx:4", "more than"}),
      bad("HeaderThatClaimsAMillionRows",
          "%%MatrixMarket matrix coordinate real general\n1000000 1000000 1\n1 1 1\n",
          {"cannot fill 1000000 rows"}),
      bad("Pattern", "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n",
          {"w.mtx:1", "pattern", "edge list"}),
      bad("ComplexMatrix", "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n",
          {"w.mtx:1", "complex"}),
      bad("TextInNumbers", dense("half\n", "1 1"), {"w.mtx:3", "half"}),
      bad("RowOutOfRange", "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 0.5\n",
          {"w.mtx:3", "1 to 2"}),
      {"MatrixAndNodesDisagree",
       "[network]\nfile = 'w.mtx'\nnodes = 5\n" + needed,
       {"w.mtx", "2 nodes", "network.nodes = 5"},
       {{"w.mtx", pair_matrix}}},
  };
}

std::vector<BadInput> edge_lists() {
  const auto bad = [](std::string name, std::string edges, Texts words) {
    words.emplace_back("edges.txt");
    return BadInput{
        std::move(name), with_edges, std::move(words), {{"edges.txt", std::move(edges)}}};
  };
  return {
      {"MissingEdges", with_edges, {"edges.txt", "No such file"}},
      bad("EmptyEdges", "# nothing\n", {"no edge"}),
      bad("DisconnectedEdges", "0 1\n2 3\n3 4\n4 2\n", {"not connected", "node 0", "node 2"}),
      bad("SelfLoop", "0 1\n1 1\n", {"edges.txt:2", "its own neighbour"}),
      bad("ThreeFields", "0 1\n1 2 0.5\n", {"edges.txt:2", "two node ids"}),
      bad("TextForANode", "0 one\n", {"edges.txt:1", "\"one\""}),
      bad("NegativeNode", "0 -1\n", {"edges.txt:1", "\"-1\""}),
      {"NodeOutOfRange",
       "[network]\nfile = 'edges.txt'\nnodes = 3\n" + needed,
       {"edges.txt:3", "\"3\"", "0 to 2"},
       {{"edges.txt", "0 1\n1 2\n2 3\n"}}},
  };
}

std::vector<BadInput> command_lines() {
  const Texts usual = {"run", "bad.toml", "--out", "out"};
  const auto with = [&](const Texts& more) {
    Texts arguments = usual;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  };
  return {
      {"NoSubcommand", needed, {"a command is missing", "run", "--help"}, {}, {}},
      {"UnknownSubcommand", needed, {"trian", "--help"}, {}, {"trian", "bad.toml"}},
      {"UnknownOption", needed, {"--colour", "--help"}, {}, with({"--colour"})},
      {"NoConfig", needed, {"config", "--help"}, {}, {"run", "--out", "out"}},
      {"MissingConfig",
       needed,
       {"none.toml", "No such file"},
       {},
       {"run", "none.toml", "--out", "out"}},
      {"ConfigThatIsAFolder", needed, {"folder"}, {}, {"run", ".", "--out", "out"}},
      {"SetWithoutEquals",
       needed,
       {"--set run.rounds", "key=value"},
       {},
       with({"--set", "run.rounds"})},
      {"SetOfAnUnknownKey",
       needed,
       {"--set run.round=3", "did you mean run.rounds?"},
       {},
       with({"--set", "run.round=3"})},
      {"SetToAnImpossibleValue",
       needed,
       {"--set problem.dim=-1", "at least 1"},
       {},
       with({"--set", "problem.dim=-1"})},
      {"NoThreads", needed, {"--threads", "1"}, {}, with({"--threads", "0"})},
      {"ThreadsThatAreText", needed, {"--threads", "many"}, {}, with({"--threads", "many"})},
      {"OutThatIsAFile",
       needed,
       {"--out occupied", "a file, not a folder"},
       {{"occupied", "mine"}},
       {"run", "bad.toml", "--out", "occupied"}},
      {"OutBelowAFile",
       needed,
       {"--out occupied/out", "Not a directory"},
       {{"occupied", "mine"}},
       {"run", "bad.toml", "--out", "occupied/out"}},
      {"OutWhereNothingCanBeMade",
       needed,
       {"--out /proc/driftless", "cannot be used", "cannot create"},
       {},
       {"run", "bad.toml", "--out", "/proc/driftless"}},
      {"OutThatHoldsARun",
       needed,
       {"--out out", "already holds a run", "--force"},
       {{"out/metrics.csv", "round\n"}}},
      {"BadConfigWithForceLeavesTheOldRun",
       needed + "repetitions = 0\n",
       {"run.repetitions"},
       {{"out/metrics.csv", "round\n"}, {"out/config.toml", ""}, {"out/summary.json", "{}"}},
       {"run", "bad.toml", "--out", "out", "--force"}},
  };
}

std::string name_of_case(const ::testing::TestParamInfo<BadInput>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Text, BadInputs, ::testing::ValuesIn(config_texts()), name_of_case);
INSTANTIATE_TEST_SUITE_P(Value, BadInputs, ::testing::ValuesIn(impossible_values()), name_of_case);
INSTANTIATE_TEST_SUITE_P(Combination, BadInputs, ::testing::ValuesIn(impossible_combinations()),
                         name_of_case);
INSTANTIATE_TEST_SUITE_P(Problem, BadInputs, ::testing::ValuesIn(problem_files()), name_of_case);
INSTANTIATE_TEST_SUITE_P(Mixing, BadInputs, ::testing::ValuesIn(mixing_files()), name_of_case);
INSTANTIATE_TEST_SUITE_P(Edges, BadInputs, ::testing::ValuesIn(edge_lists()), name_of_case);
INSTANTIATE_TEST_SUITE_P(CommandLine, BadInputs, ::testing::ValuesIn(command_lines()),
                         name_of_case);

}  // namespace
}  // namespace driftless::testing
