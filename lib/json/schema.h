// The JSON Schema (2020-12) of the JSON form, generated from the event fields, the operation table and the name tables.
#pragma once

#include <string>

namespace dp2trace::json {

// The text of traces/schema.json.
std::string SchemaText();

}  // namespace dp2trace::json
