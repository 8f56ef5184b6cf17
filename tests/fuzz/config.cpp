#include <random>

#include "driftless/config/key.hpp"
#include "driftless/config/plan.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace driftless;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // A few bytes can ask for the 100,000 runs that are allowed; to plan so many alike shows nothing
  // that fewer do not, and takes a second.
  constexpr int most_runs = 200;
  const std::string_view text = testing::text_of(data, size);
  return testing::accept_or_refuse([&] { plan_experiment(text, "fuzz.toml", "/", {}, most_runs); });
}

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

// Writes TOML that is mostly right: what bytes that change at random hardly ever are.
class Writer {
 public:
  explicit Writer(unsigned seed) : random_(seed) {}

  std::string line() {
    switch (below(5)) {
      case 0:
        return "[" + key() + "]\n";
      case 1:
        return "[[" + key() + "]]\n";
      case 2:
        return list_key() + " = " + list_value() + "\n";
      default:
        return key() + " = " + value(0) + "\n";
    }
  }
  std::size_t below(std::size_t bound) { return random_() % bound; }

 private:
  // A key of the config, one that looks like it, or one of many dots.
  std::string key() {
    static constexpr const char* parts[] = {"a",       "sweep", "tune", "run", "algorithm",
                                            "\"b.c\"", "'='",   "kind", "1",   "\"\""};
    const auto part = [&] { return std::string(parts[below(std::size(parts))]); };
    if (below(2) == 0) {
      const std::deque<Key>& keys = config_keys();
      const std::string name = keys[below(keys.size())].name;
      return below(3) == 0 ? name.substr(name.find('.') + 1) : name;
    }
    std::string dotted = part();
    for (std::size_t dots = below(8) == 0 ? below(100) : below(3); dots > 0; --dots)
      dotted += "." + part();
    return dotted;
  }

  // A key that takes lists, in its section or in a sweep.
  std::string list_key() {
    std::vector<std::string> names;
    for (const Key& each : config_keys())
      if (each.is_list()) names.push_back(each.name);
    const std::string name = names[below(names.size())];
    return below(3) == 0 ? "sweep.\"" + name + "\"" : name;
  }

  // A list of integers or of texts, mostly, or a list of such lists.
  std::string list_value() {
    static constexpr const char* integers[] = {"1", "300", "0", "-1", "1000001", "'2'", "1.5"};
    static constexpr const char* texts[] = {"'a'", "'mnist'", "\"b c\"", "''", "'300 100'", "7"};
    if (below(6) == 0) return "[" + list_value() + ", " + list_value() + "]";
    if (below(8) == 0) return value(0);
    const bool of_texts = below(2) == 0;
    std::string all;
    for (std::size_t left = below(5); left > 0; --left) {
      all += all.empty() ? "" : ", ";
      all += of_texts ? texts[below(std::size(texts))] : integers[below(std::size(integers))];
    }
    return "[" + all + "]";
  }

  std::string value(int depth) {
    static constexpr const char* values[] = {
        "1",      "0",          "-1",       "0.5",         "1e-3",     "1e999",
        "inf",    "nan",        "true",     "'gt'",        "\"k-gt\"", "\"\"",
        "'ring'", "'torus'",    "'mlp'",    "'x.json'",    "{}",       "[]",
        "0x1f",   "1979-05-27", "07:32:00", "\"\\u00e9\"", "'''a''''", "\"\"\"a\\\"b\"\"\"\"\""};
    const bool deep = depth > 3 && chain_;
    if (depth == 0) chain_ = below(8) == 0;
    if (!deep && (depth > 3 || below(3) > 0)) return values[below(std::size(values))];
    if (depth > 60 || below(40) == 0) return "1";
    if (deep)
      return below(2) == 0 ? "[" + value(depth + 1) + "]"
                           : "{" + key() + "=" + value(depth + 1) + "}";
    const bool list = below(2) == 0;
    std::string all;
    for (std::size_t left = 1 + below(3); left > 0; --left) {
      all += (all.empty() ? "" : ", ") + (list ? "" : key() + " = ") + value(depth + 1);
    }
    return list ? "[" + all + "]" : "{" + all + "}";
  }

  std::minstd_rand random_;
  bool chain_ = false;  // one value within another, to some depth
};

}  // namespace

// Every other time, puts a line into the text or in the place of one.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  Writer writer(seed);
  if (writer.below(2) == 0) return LLVMFuzzerMutate(data, size, max_size);
  std::string text(testing::text_of(data, size));
  const std::size_t before = text.rfind('\n', writer.below(size + 1));
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  const std::size_t end = std::min(text.find('\n', begin), text.size());
  const bool replaces = writer.below(2) == 0;
  text.replace(begin, replaces ? std::min(end + 1, text.size()) - begin : 0, writer.line());
  text.resize(std::min(text.size(), max_size));
  std::copy(text.begin(), text.end(), data);
  return text.size();
}
