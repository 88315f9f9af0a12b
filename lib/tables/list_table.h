// A table as data, and its three written forms.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tables/list.h"

namespace dp2trace::tables {

// One value: as text and Markdown show it, and as JSON writes it.
struct Cell {
  std::string text;
  std::string json;
};

Cell TextCell(std::string_view text);
Cell NumberCell(uint64_t value);
// Hexadecimal with at least `digits` digits; a number in JSON.
Cell HexCell(uint64_t value, int digits);
Cell BoolCell(bool value);

struct Table {
  std::string_view key;                   // in JSON: "render_states"
  std::string_view title;                 // in text and Markdown: "Render states"
  std::vector<std::string_view> columns;  // snake_case
  std::vector<std::vector<Cell>> rows;    // one cell per column
};

// Text: aligned columns, titles where there are several tables. JSON: one object with the head of `schema` (json/output.h; the first word
// of `command` where it is empty), an array of objects per table, one row per line. Markdown: a page that names `command` in its first line.
std::string RenderTables(std::span<const Table> tables, std::string_view command, ListFormat format,
                         std::string_view schema = {});

}  // namespace dp2trace::tables
