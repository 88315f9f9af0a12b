// What all JSON outputs of the program have in common: their head, their end, and how they write a colour and a rectangle. The schemas
// are in schemas/, NAME.json; README.md there lists them and the words that they share.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace dp2trace::json {

// {"tool":"dp2trace","version":"0.1.0","schema":"NAME/1","trace":"TRACE"  without a trace where it is empty: members follow, and "}".
std::string OutputHead(std::string_view schema, std::string_view trace = {});
// ,"errors":[...]}  and a line end: `errors` are objects.
std::string OutputEnd(std::span<const std::string> errors);

// "#aarrggbb" in quotes, of red, green, blue and alpha.
std::string ColorJson(const std::array<uint8_t, 4>& rgba);
// {"x":0,"y":0,"width":8,"height":8} of bounds; `right` and `bottom` lie outside.
std::string RectangleJson(uint32_t left, uint32_t top, uint32_t right, uint32_t bottom);

}  // namespace dp2trace::json
