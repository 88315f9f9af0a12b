// The assembly of a shader beside its tokens: a comment for the reader of the text, which is written and never read back.
#pragma once

#include <string_view>

#include "base/bytes.h"
#include "json/builder.h"
#include "json/values.h"

namespace dp2trace::json {

// The member that holds it: an array of lines.
inline constexpr std::string_view kAssemblyKey = "assembly";

// The member, as far as the code can be read; nothing where its version cannot.
void WriteAssembly(Bytes code, Builder& out);
// Accepts the member where it is there. False, with a finding, where it is not an array of strings.
bool SkipAssembly(Values& values, ObjectReader& object);

}  // namespace dp2trace::json
