// The tables of the program as text, JSON and Markdown: opcodes, states, formats, flags, rules.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/rule.h"

namespace dp2trace::tables {

enum class ListFormat : uint8_t { kText, kJson, kMarkdown };

// All end with a newline. The Markdown pages are committed beside the tables: lib/opcode/opcodes.md, lib/d3d/states.md,
// lib/d3d/formats.md, lib/d3d/caps.md, lib/kmt/flags.md, lib/rules/rules.md.
// Operations, and the fields of their structures.
std::string ListOpcodes(ListFormat format);
// Render states, texture stage states, and the enumerations of values, transform states among them.
std::string ListStates(ListFormat format);
// Pixel formats.
std::string ListFormats(ListFormat format);
// The members of D3DCAPS9, and which rules read them.
std::string ListCaps(ListFormat format);
// Every set of flags: of tokens, states, surfaces and D3DKMT structures.
std::string ListFlags(ListFormat format);
// What can be found. JSON has all columns of the table.
std::string ListRules(ListFormat format);
std::string ListRules(ListFormat format, std::span<const Rule> rules);

}  // namespace dp2trace::tables
