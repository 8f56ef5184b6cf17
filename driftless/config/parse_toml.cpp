#include "driftless/config/parse_toml.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/base/error.hpp"

namespace driftless {

namespace {

constexpr int most_levels = 32;

// Walks over the text once and knows enough of TOML to tell what is a bracket or the dot of a key
// from what stands in a string or a comment. As the parser stops at the first fault, it does not
// matter what is made of the text behind one.
class NestingCheck {
 public:
  NestingCheck(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  void run() {
    while (at_ < text_.size()) {
      const char letter = text_[at_];
      if (letter == '"' || letter == '\'') {
        skip_string(letter);
        continue;
      }
      if (letter == '#') at_ = std::min(text_.find('\n', at_), text_.size() - 1);
      read(text_[at_]);
      ++at_;
    }
  }

 private:
  // Dots belong to one key, or to one number, until something stands between that neither has.
  void read(char letter) {
    if (letter == '.') check(++dots_, "dots in a key");
    if (letter == '[' || letter == '{') check(++brackets_, "brackets in one another");
    if (letter == ']' || letter == '}') --brackets_;
    if (letter == '\n') ++line_;
    if (letter == '\n' || letter == '=' || letter == ',') dots_ = 0;
  }

  void skip_string(char quote) {
    const std::string_view rest = text_.substr(at_);
    const bool long_string = rest.starts_with(std::string(3, quote));
    const std::string end(long_string ? 3 : 1, quote);
    at_ += end.size();
    for (; at_ < text_.size() && !text_.substr(at_).starts_with(end); ++at_) {
      if (text_[at_] == '\\' && quote == '"') ++at_;
      if (at_ < text_.size() && text_[at_] == '\n') ++line_;
    }
    at_ = std::min(at_ + end.size(), text_.size());
    // Two quotes more may be the last of what stands in a long string.
    for (int more = 0; long_string && more < 2 && text_.substr(at_).starts_with(quote); ++more)
      ++at_;
  }

  void check(int levels, const char* what) const {
    if (levels <= most_levels) return;
    throw ConfigError("{}:{}: more than {} {}", name_, line_, most_levels, what);
  }

  std::string_view text_;
  std::string_view name_;
  std::size_t at_ = 0;
  int line_ = 1;
  int dots_ = 0;
  int brackets_ = 0;
};

}  // namespace

toml::table parse_toml(std::string_view text, std::string_view name) {
  if (text.size() > longest_config) {
    throw ConfigError("{}: has {} bytes; a config has at most {}", name, text.size(),
                      longest_config);
  }
  NestingCheck(text, name).run();
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    throw ConfigError("{}:{}:{}: not TOML: {}", name, at.line, at.column, error.description());
  }
}

}  // namespace driftless
