#include <fmt/format.h>

#include <filesystem>

#include "driftless/base/error.hpp"
#include "driftless/base/parse_json.hpp"
#include "driftless/base/regular_file.hpp"
#include "driftless/problem/least_squares.hpp"

namespace driftless {
namespace {

using nlohmann::json;

// Walks the file's arrays with the place it is at, so that every fault can say where.
class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  [[noreturn]] void fail(const std::string& place, const std::string& fault) const {
    throw DataError("{}: {}: {}", file_, place, fault);
  }

  const json& array(const json& value, const std::string& place) const {
    if (!value.is_array())
      fail(place, fmt::format("expected an array, found {}", value.type_name()));
    if (value.empty()) fail(place, "the array is empty");
    return value;
  }

  Vector<double> vector(const json& value, const std::string& place, Index expected) const {
    array(value, place);
    if (static_cast<Index>(value.size()) != expected) {
      fail(place, fmt::format("has {} numbers, expected {}", value.size(), expected));
    }
    Vector<double> out(expected);
    for (Index k = 0; k < expected; ++k) {
      const json& number = value[static_cast<std::size_t>(k)];
      if (!number.is_number()) {
        fail(fmt::format("{}[{}]", place, k),
             fmt::format("expected a number, found {}", number.type_name()));
      }
      out[k] = number.get<double>();
    }
    return out;
  }

 private:
  std::string file_;
};

}  // namespace

LeastSquaresData read_least_squares(const std::filesystem::path& file) {
  const Reader reader(file.string());
  const std::string text = read_file(file);
  if (text.empty()) {
    throw DataError("{}: is empty, expected a problem in JSON with \"A\" and \"b\"", file.string());
  }
  const json root = parse_json(text, file.string());
  if (!root.is_object()) reader.fail("top level", "expected an object with \"A\" and \"b\"");
  for (const auto& [key, value] : root.items()) {
    if (key != "A" && key != "b" && key != "x0") {
      reader.fail(fmt::format("\"{}\"", key), "unknown key; a problem has \"A\", \"b\" and \"x0\"");
    }
  }
  for (const char* key : {"A", "b"}) {
    if (!root.contains(key)) reader.fail(fmt::format("\"{}\"", key), "is missing");
  }

  const json& A = reader.array(root["A"], "A");
  const json& b = reader.array(root["b"], "b");
  const std::size_t n = A.size();
  if (b.size() != n) {
    reader.fail("b", fmt::format("has {} nodes, but A has {}", b.size(), n));
  }
  reader.array(A[0], "A[0]");
  const auto d = static_cast<Index>(reader.array(A[0][0], "A[0][0]").size());

  LeastSquaresData data;
  for (std::size_t i = 0; i < n; ++i) {
    const json& rows = reader.array(A[i], fmt::format("A[{}]", i));
    const auto m = static_cast<Index>(rows.size());
    LeastSquaresData::Matrix matrix(m, d);
    for (Index r = 0; r < m; ++r) {
      matrix.row(r) =
          reader.vector(rows[static_cast<std::size_t>(r)], fmt::format("A[{}][{}]", i, r), d);
    }
    data.A.push_back(std::move(matrix));
    data.b.push_back(reader.vector(b[i], fmt::format("b[{}]", i), m));
  }
  if (root.contains("x0")) {
    const json& x0 = reader.array(root["x0"], "x0");
    if (!x0[0].is_array()) {
      data.x0.push_back(reader.vector(x0, "x0", d));
    } else {
      if (x0.size() != n) {
        reader.fail("x0", fmt::format("has {} starts, expected 1 or one for each of {} nodes",
                                      x0.size(), n));
      }
      for (std::size_t i = 0; i < n; ++i) {
        data.x0.push_back(reader.vector(x0[i], fmt::format("x0[{}]", i), d));
      }
    }
  }
  return data;
}

}  // namespace driftless
