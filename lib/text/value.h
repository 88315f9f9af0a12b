// Single values as text: names, flags, floats, bytes. Everything is appended to a string and free of control characters.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/enum_info.h"
#include "d3d/states.h"

namespace dp2trace::text {

// The shortest decimal number that reads back to the same f32; "nan(0x7fc00000)" for a NaN.
void AppendFloat(std::string& out, uint32_t bits);
// The name of the value, or the number.
void AppendEnum(std::string& out, const EnumInfo& names, uint32_t value);
// "A|B|0x100": names in table order, bits without a name as one hexadecimal number; "0" for 0.
void AppendFlags(std::string& out, const EnumInfo& names, uint32_t value);
// The name of a D3DFORMAT, or the number in hexadecimal.
void AppendFormat(std::string& out, uint32_t format);
// "0x" and 8 digits.
void AppendHex32(std::string& out, uint32_t value);
// The value of a render state or texture stage state as its row types it; `info` null: a number in hexadecimal.
void AppendStateValue(std::string& out, const d3d::StateInfo* info, uint32_t value,
                      uint32_t runtime_version);
// In double quotes, a string of JSON, with what Plain() escapes written so; a byte that is not UTF-8 becomes the text "\xff".
void AppendQuoted(std::string& out, std::string_view text);
// "44 bytes [29 00 01 00 ...]": the size and the first 16 bytes.
void AppendBytes(std::string& out, Bytes bytes);

}  // namespace dp2trace::text
