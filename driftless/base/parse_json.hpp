#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace driftless {

// The text as JSON (RFC 8259). What nests deeper than any file of ours is refused, since the
// recursion of who walks it would end the stack; so is a key that an object has twice, of which one
// value would be lost. Throws DataError that begins with `name`.
nlohmann::json parse_json(std::string_view text, std::string_view name);

// As our files hold it. Bytes that are no UTF-8, which names of files may have, are replaced.
std::string json_text(const nlohmann::ordered_json& json);

}  // namespace driftless
