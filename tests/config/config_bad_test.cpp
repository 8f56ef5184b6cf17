// Bad configs: each fault with its line, what was found, what was expected, and the remedy.
#include <gtest/gtest.h>

#include "tests/config/config_text.hpp"

namespace driftless {
namespace {

using namespace testing_config;

const std::string mlp = "[problem]\nkind = 'mlp'\n";

struct BadConfig {
  std::string name;
  std::string text;      // from line 1; what a config needs besides follows
  std::string expected;  // the message's beginning
  Texts words = {};      // and what else is in it
};

std::ostream& operator<<(std::ostream& out, const BadConfig& bad) { return out << bad.name; }

class BadConfigs : public ::testing::TestWithParam<BadConfig> {};

TEST_P(BadConfigs, AreRefusedWithTheirOneFault) {
  const std::string error = error_of(GetParam().text);
  EXPECT_TRUE(error.starts_with(GetParam().expected)) << error;
  EXPECT_EQ(error.find('\n'), std::string::npos) << "one fault, one line: " << error;
  for (const std::string& word : GetParam().words)
    EXPECT_NE(error.find(word), std::string::npos) << word << " is not in: " << error;
}

std::vector<BadConfig> unknown_names() {
  return {
      {"MistypedKey", "[problem]\ndmi = 3" + needed,
       "bad.toml:2: unknown key problem.dmi; did you mean problem.dim?"},
      {"SwappedLetters", "[network]\n\nndoes = 3" + needed,
       "bad.toml:3: unknown key network.ndoes; did you mean network.nodes?"},
      {"KeyInTheWrongSection", "[problem]\nlocal_steps = 3" + needed,
       "bad.toml:2: unknown key problem.local_steps; did you mean algorithm.local_steps?"},
      {"KeyOutsideOfSections", "target = 3" + needed,
       "bad.toml:1: unknown key target; did you mean run.target or tune.target?"},
      {"KeyLikeNothing", "[schedule]\nx = 3" + needed,
       "bad.toml:2: unknown key schedule.x; the keys of its section are kind, warmup_rounds,"},
      {"MistypedSection", "\n[problme]\ndim = 3\nnoise = 1" + needed,
       "bad.toml:2: unknown section [problme]; did you mean problem?"},
      {"SectionLikeNothing", "[x]\ndim = 3" + needed,
       "bad.toml:1: unknown section [x]; sections are problem,"},
      {"NestedUnknownTable", "[problem.colours]\nx = 3" + needed,
       "bad.toml:1: unknown key problem.colours;"},
      {"MistypedSweepKey", "[sweep]\n'algorithm.knd' = ['gt']" + needed,
       "bad.toml:2: unknown key algorithm.knd; did you mean algorithm.kind?"},
      {"ShortSweepKey", "[sweep]\nheterogeneity = [1]" + needed,
       "bad.toml:2: unknown key heterogeneity; did you mean problem.heterogeneity?"},
  };
}

std::vector<BadConfig> values_of_a_wrong_type() {
  return {
      {"FloatForAnInteger",
       "[problem]\ndim = 20.0" + needed,
       "bad.toml:2: problem.dim = 20.0: expected an integer",
       {"without a decimal point"}},
      {"TextForAnInteger", "[problem]\ndim = '20'" + needed,
       "bad.toml:2: problem.dim = \"20\": expected an integer of at least 1"},
      {"TextForANumber", "[problem]\nnoise = 'much'" + needed,
       "bad.toml:2: problem.noise = \"much\": expected a number of at least 0"},
      {"IntegerForABoolean", run_section + "drift = 1" + algorithm_section,
       "bad.toml:4: run.drift = 1: expected true or false"},
      {"TextForABoolean", run_section + "drift = 'true'" + algorithm_section,
       "bad.toml:4: run.drift = \"true\": expected true or false"},
      {"BooleanForANumber", "[problem]\nnoise = true" + needed,
       "bad.toml:2: problem.noise = true: expected a number"},
      {"NumberForAText", "[network]\ntopology = 3" + needed,
       "bad.toml:2: network.topology = 3: expected one of ring, path"},
      {"NumberForAPath",
       "[problem]\nfile = 3" + needed,
       "bad.toml:2: problem.file = 3: expected",
       {"path"}},
      {"EmptyPath", "[problem]\nfile = ''" + needed, "bad.toml:2: problem.file = \"\": expected"},
      {"DateForANumber", "[problem]\nnoise = 2024-01-01" + needed,
       "bad.toml:2: problem.noise is a date or time; expected a number"},
      {"ListOutsideOfASweep",
       "[problem]\nnoise = [0, 1]" + needed,
       "bad.toml:2: problem.noise is a list; expected a number",
       {"belongs in [sweep]"}},
      {"AnotherTypeInAList", mlp + "hidden = [20,\n 1.5]" + needed,
       "bad.toml:3: problem.hidden: element 2 is 1.5; expected an integer of at least 1 and at "
       "most 1000000, without a decimal point"},
      {"TextInAListOfIntegers", mlp + "hidden = [20, '10']" + needed,
       "bad.toml:3: problem.hidden: element 2 is \"10\"; expected an integer"},
      {"ListInAListOfIntegers", mlp + "hidden = [[20]]" + needed,
       "bad.toml:3: problem.hidden: element 1 is a list; expected an integer"},
      {"TooSmallAnElement", mlp + "hidden = [20, 0]" + needed,
       "bad.toml:3: problem.hidden = [20, 0]: element 2 is 0; expected an integer of at least 1"},
      {"TooLargeAnElementOfOldLists", mlp + "hidden = '1000001'" + needed,
       "bad.toml:3: problem.hidden = \"1000001\": expected an integer of at least 1 and at most "
       "1000000; several go in brackets, as [2, 1]"},
      {"TableForAValue", "[problem.noise]\nx = 1" + needed,
       "bad.toml:1: problem.noise is a table; expected a number"},
      {"ValueForASection", "problem = 3" + needed,
       "bad.toml:1: problem must be a section [problem]"},
      {"TablesForASection", "[[problem]]\ndim = 3" + needed,
       "bad.toml:1: problem must be a section [problem]"},
  };
}

std::vector<BadConfig> values_out_of_range() {
  return {
      {"MistypedChoice",
       "[network]\ntopology = 'rnig'" + needed,
       "bad.toml:2: network.topology = \"rnig\": expected one of ring, path, star",
       {"did you mean ring?"}},
      {"UnknownProblem", "[problem]\nkind = 'cubic'" + needed,
       "bad.toml:2: problem.kind = \"cubic\": expected one of least_squares"},
      {"ZeroDimension", "[problem]\ndim = 0" + needed,
       "bad.toml:2: problem.dim = 0: expected an integer of at least 1"},
      {"HugeDimension",
       "[problem]\ndim = 5_000_000_000" + needed,
       "bad.toml:2: problem.dim = 5000000000: expected",
       {"at most 1000000000"}},
      {"NegativeNodes", "[network]\nnodes = -4" + needed,
       "bad.toml:2: network.nodes = -4: expected an integer of at least 1"},
      {"TooManyNodes",
       "[network]\nnodes = 10_000_001" + needed,
       "bad.toml:2: network.nodes = 10000001: expected",
       {"at most 10000000"}},
      {"NegativeNoise", "[problem]\nnoise = -0.5" + needed,
       "bad.toml:2: problem.noise = -0.5: expected a number of at least 0"},
      {"NotANumber", "[problem]\nnoise = nan" + needed,
       "bad.toml:2: problem.noise = nan: expected a finite value"},
      {"Infinite", "[problem]\nheterogeneity = inf" + needed,
       "bad.toml:2: problem.heterogeneity = inf: expected a finite value"},
      {"ZeroProbability", "[network]\ntopology = 'erdos_renyi'\nedge_probability = 0" + needed,
       "bad.toml:3: network.edge_probability = 0: expected a number above 0 and at most 1"},
      {"ProbabilityAboveOne", "[network]\ntopology = 'erdos_renyi'\nedge_probability = 2" + needed,
       "bad.toml:3: network.edge_probability = 2: expected a number above 0 and at most 1"},
      {"ZeroRate", "[algorithm]\nkind = 'gt'\nlocal_rate = 0.0" + run_section,
       "bad.toml:3: algorithm.local_rate = 0.0: expected a number above 0"},
      {"ZeroLocalSteps", algorithm_section + "local_steps = 0" + run_section,
       "bad.toml:5: algorithm.local_steps = 0: expected an integer of at least 1"},
      {"LocalStepsBeyondWhatADrawCounts",
       algorithm_section + "local_steps = 3_000_000_000" + run_section,
       "bad.toml:5: algorithm.local_steps = 3000000000: expected",
       {"at most 16777215"}},
      {"NoRounds", algorithm_section + "[run]\nrounds = 0",
       "bad.toml:6: run.rounds = 0: expected an integer of at least 1"},
      {"NegativeSeed", run_section + "seed = -1" + algorithm_section,
       "bad.toml:4: run.seed = -1: expected an integer of at least 0"},
      {"ZeroTarget", run_section + "target = 0" + algorithm_section,
       "bad.toml:4: run.target = 0: expected a number above 0"},
      {"SeedTooLargeForItsRepetitions",
       run_section + "seed = 9223372036854775807\nrepetitions = 2" + algorithm_section,
       "bad.toml:4: run.seed = 9223372036854775807: too large for 2 repetitions"},
  };
}

std::vector<BadConfig> keys_that_do_not_fit_together() {
  return {
      {"NoKind", "[algorithm]\nlocal_rate = 1\nlazy = true" + run_section,
       "bad.toml:1: algorithm.kind is missing; expected one of k-gt, d-sgd"},
      {"NoRate", "[algorithm]\nkind = 'gt'" + run_section,
       "bad.toml:1: algorithm.local_rate is missing; expected a number above 0"},
      {"NoRunSection", algorithm_section, "bad.toml: run.rounds is missing; expected an integer"},
      {"StepScheduleWithoutItsLength", "[schedule]\nkind = 'step'" + needed,
       "bad.toml:1: schedule.every is missing for schedule.kind = \"step\"; expected an integer"},
      {"LocalStepsForGt",
       "[algorithm]\nkind = 'gt'\nlocal_rate = 1\nlocal_steps = 20" + run_section,
       "bad.toml:4: algorithm.local_steps = 20: gt takes one step a round; more are for k-gt"},
      {"LocalStepsForD2", "[algorithm]\nkind = 'd2'\nlocal_rate = 1\nlocal_steps = 2" + run_section,
       "bad.toml:4: algorithm.local_steps = 2: d2 takes one step a round"},
      {"GlobalRoundsForKGt", algorithm_section + "global_every = 3" + run_section,
       "bad.toml:5: algorithm.global_every = 3: not a key of algorithm.kind = \"k-gt\"; it belongs "
       "to gossip-pga"},
      {"LazyKGt",
       algorithm_section + "lazy = false" + run_section,
       "bad.toml:5: algorithm.lazy = false: not a key",
       {"d2 or led"}},
      {"CorrectionForDsgd",
       "[algorithm]\nkind = 'd-sgd'\nlocal_rate = 1\ninitial_correction = 'zero'" + run_section,
       "bad.toml:4: algorithm.initial_correction = \"zero\": not a key",
       {"k-gt, gt, periodical-gt, periodical-gt-full, large-batch-gt or scaffold"}},
      {"CommunicationRateForLed",
       "[algorithm]\nkind = 'led'\nlocal_rate = 1\ncommunication_rate = 1" + run_section,
       "bad.toml:4: algorithm.communication_rate = 1: not a key of algorithm.kind = \"led\""},
      {"RowsOfARing", "[network]\nrows = 3" + needed,
       "bad.toml:2: network.rows = 3: not a key of network.topology = \"ring\"; it belongs to "
       "torus"},
      {"SeedOfARing",
       "[network]\nseed = 3" + needed,
       "bad.toml:2: network.seed = 3: not a key",
       {"erdos_renyi, random_regular, random_geometric or random_matching"}},
      {"FloorOfAConstantSchedule",
       "[schedule]\nfloor = 0.5" + needed,
       "bad.toml:2: schedule.floor = 0.5: not a key",
       {"cosine"}},
      {"DimensionBesideAProblemFile", "[problem]\nfile = 'p.json'\ndim = 3" + needed,
       "bad.toml:3: problem.dim = 3: problem.file takes its place; remove one"},
      {"TopologyBesideANetworkFile", "[network]\nfile = 'g.txt'\ntopology = 'ring'" + needed,
       "bad.toml:3: network.topology = \"ring\": network.file takes its place"},
      {"RowsBesideANetworkFile", "[network]\nfile = 'g.txt'\nrows = 2" + needed,
       "bad.toml:3: network.rows = 2: network.file takes its place"},
      {"WeightsBesideAMatrix", "[network]\nfile = 'w.mtx'\nweights = 'metropolis'" + needed,
       "bad.toml:3: network.weights = \"metropolis\": the mixing matrix in network.file takes"},
      {"TheSameKeyTwice", "'problem.dim' = 3\n[problem]\ndim = 4" + needed,
       "bad.toml:3: problem.dim is given twice"},
  };
}

std::vector<BadConfig> bad_sweeps() {
  return {
      {"EmptyList", "[sweep]\nproblem.dim = []" + needed,
       "bad.toml:2: problem.dim is an empty list"},
      {"EmptyListOfARequiredKey",
       "[sweep]\nalgorithm.kind = []\n[algorithm]\nlocal_rate = 1" + run_section,
       "bad.toml:2: algorithm.kind is an empty list"},
      {"EmptyListOfAKeyThatTakesLists", mlp + "[sweep]\nproblem.hidden = []" + needed,
       "bad.toml:4: problem.hidden is an empty list; give it a value, which may be a list too"},
      {"WrongElementInASweptList", mlp + "[sweep]\nproblem.hidden = [[1, 2],\n [3, -1]]" + needed,
       "bad.toml:5: problem.hidden = [3, -1]: element 2 is -1; expected an integer"},
      {"WrongTypeInAList", "[sweep]\nproblem.dim = [1,\n 2.5]" + needed,
       "bad.toml:3: problem.dim = 2.5: expected an integer"},
      {"ListInAList", "[sweep]\nproblem.dim = [[1, 2]]" + needed,
       "bad.toml:2: problem.dim is a list; expected an integer"},
      {"TableInAList", "[sweep]\nproblem.dim = [{x = 2}]" + needed,
       "bad.toml:2: problem.dim is a table; expected an integer"},
      {"SweptRepetitions", "[sweep]\nrun.repetitions = [1, 2]" + needed,
       "bad.toml:2: run.repetitions cannot be swept; give it in [run]"},
      {"SweptTarget", "[sweep]\nrun.target = 0.1" + needed,
       "bad.toml:2: run.target cannot be swept"},
      {"KeyTwiceInOneSweep", "[sweep]\nproblem.dim = 2\n'problem.dim' = 3" + needed,
       "bad.toml:3: problem.dim is given twice in one grid"},
      {"SweepThatIsAValue", "sweep = 3" + needed, "bad.toml:1: sweep must be a table [sweep]"},
      {"SweepThatIsAnEmptyList", "sweep = []" + needed,
       "bad.toml:1: sweep must be a table [sweep]"},
      {"SweepOfASection", "[sweep]\nproblem = [1]" + needed,
       "bad.toml:2: problem must be a section [problem]"},
      {"FaultOfOneCombination",
       algorithm_section + "local_steps = 5" + run_section +
           "[sweep]\nalgorithm.kind = ['k-gt', 'gt']",
       "bad.toml:5: algorithm.local_steps = 5: gt takes one step a round",
       {"(with algorithm.kind = \"gt\")"}},
      {"FaultOfManyCombinations",
       algorithm_section + "local_steps = 5" + run_section +
           "[sweep]\nalgorithm.kind = ['k-gt', 'gt']\nproblem.dim = [1, 2, 3]",
       "bad.toml:5: algorithm.local_steps = 5: gt takes one step a round",
       {"(with algorithm.kind = \"gt\", problem.dim = 1; and 2 other combinations)"}},
      {"TooManyRuns",
       run_section + "repetitions = 11" + algorithm_section +
           "[sweep]\nproblem.dim = [1,2,3,4,5,6,7,8,9,10]\n" +
           "problem.noise = [1,2,3,4,5,6,7,8,9,10]\nrun.seed = [1,2,3,4,5,6,7,8,9,10]\n" +
           "algorithm.local_steps = [1,2,3,4,5,6,7,8,9,10]",
       "bad.toml: 10000 combinations with 11 repetitions are too many; at most 100000 runs"},
  };
}

std::vector<BadConfig> texts_that_are_not_toml() {
  return {
      {"UnclosedText", "[problem]\nkind = \"least" + needed, "bad.toml:2:", {"not TOML"}},
      {"KeyWithoutValue", "[problem]\nkind" + needed, "bad.toml:2:", {"not TOML"}},
      {"RepeatedKey", "[problem]\ndim = 2\ndim = 3" + needed, "bad.toml:3:", {"not TOML"}},
      {"IntegerBeyond64Bits", "[run]\nseed = 9223372036854775808", "bad.toml:2:", {"not TOML"}},
      {"BinaryRubbish", "\x01\xff\xfe", "bad.toml:1:", {"not TOML"}},
  };
}

std::string case_name(const ::testing::TestParamInfo<BadConfig>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(UnknownName, BadConfigs, ::testing::ValuesIn(unknown_names()), case_name);
INSTANTIATE_TEST_SUITE_P(WrongType, BadConfigs, ::testing::ValuesIn(values_of_a_wrong_type()),
                         case_name);
INSTANTIATE_TEST_SUITE_P(OutOfRange, BadConfigs, ::testing::ValuesIn(values_out_of_range()),
                         case_name);
INSTANTIATE_TEST_SUITE_P(Together, BadConfigs, ::testing::ValuesIn(keys_that_do_not_fit_together()),
                         case_name);
INSTANTIATE_TEST_SUITE_P(Sweep, BadConfigs, ::testing::ValuesIn(bad_sweeps()), case_name);
INSTANTIATE_TEST_SUITE_P(Syntax, BadConfigs, ::testing::ValuesIn(texts_that_are_not_toml()),
                         case_name);

}  // namespace
}  // namespace driftless
