#include "tables/list.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

#include "d3d/caps.h"
#include "d3d/enums.h"
#include "d3d/formats.h"
#include "d3d/ignored_states.h"
#include "d3d/states.h"
#include "d3d/vendor_codes.h"
#include "kmt/flags.h"
#include "opcode/opcode.h"
#include "rules/rule_info.h"
#include "rules/silent_rules.h"
#include "rules/source.h"
#include "tables/list_table.h"
#include "text/value.h"
#include "trace/events.h"

namespace dp2trace::tables {
namespace {

// The value that stands for "any" in the table of states.
constexpr double kMaxU32 = std::numeric_limits<uint32_t>::max();

Cell LevelCell(uint8_t level) {
  return level == d3d::kLevel9Ex ? TextCell("9Ex") : NumberCell(level);
}

// ---------- states ----------

std::string RangeText(double min, double max) {
  const bool is_open_below = min == std::numeric_limits<float>::lowest();
  const bool is_open_above = max == std::numeric_limits<float>::max() || max == kMaxU32;
  if (is_open_below && is_open_above) return "finite";
  if (is_open_above) return min == 0 && max == kMaxU32 ? "any" : fmt::format(">= {}", min);
  return fmt::format("{}..{}", min, max);
}

std::string ExcludedText(uint32_t excluded) {
  std::string text;
  for (uint32_t value = 0; value < 32; ++value) {
    if (((excluded >> value) & 1) != 0)
      text += fmt::format("{}{}", text.empty() ? " without " : ", ", value);
  }
  return text;
}

// The legal values, e.g. "D3DBLEND 1..17 without 12, 13".
std::string LegalText(const d3d::StateInfo& info) {
  switch (info.type) {
    case d3d::ValueType::kBool:
    case d3d::ValueType::kColor:
      return "any";
    case d3d::ValueType::kU32:
    case d3d::ValueType::kHex:
    case d3d::ValueType::kHandle:
    case d3d::ValueType::kF32:
      return RangeText(info.min, info.max);
    case d3d::ValueType::kU16Pair:
      return fmt::format(
          "low word {}{}", RangeText(info.min, info.max),
          info.names == nullptr ? "" : fmt::format(", high word {}", info.names->name));
    case d3d::ValueType::kEnum:
    case d3d::ValueType::kFlags:
      break;
  }
  std::string text = fmt::format("{} {}{}", info.names->name, RangeText(info.min, info.max),
                                 ExcludedText(info.excluded));
  if (info.legacy_names != nullptr) text += fmt::format("; legacy {}", info.legacy_names->name);
  return text;
}

Cell DefaultCell(const d3d::StateInfo& info) {
  const auto [first, other] = info.default_value;
  constexpr uint32_t kRuntime9 = 5;
  Cell cell;
  text::AppendStateValue(cell.text, &info, other, kRuntime9);
  if (first == other) {
    cell.json = fmt::format("{}", other);
    return cell;
  }
  cell.text += info.state_class == d3d::StateClass::kRender ? "; level 6: " : "; stage 0: ";
  text::AppendStateValue(cell.text, &info, first, kRuntime9);
  cell.json = fmt::format("[{}, {}]", first, other);
  return cell;
}

// "yes", "yes, but NVDB", or "ignored (why)".
Cell ModelledCell(const d3d::StateInfo& info) {
  const d3d::IgnoredState* const row = d3d::FindIgnoredState(info);
  if (row != nullptr) return TextCell(fmt::format("ignored ({})", row->why));
  std::string text = "yes";
  for (const d3d::VendorCode& code : d3d::kVendorCodes) {
    if (d3d::IsOf(code, info) && !code.is_drawn) text += fmt::format(", but {}", code.name);
  }
  return TextCell(std::move(text));
}

Table RenderStateTable() {
  Table table{"render_states",
              "Render states",
              {"code", "name", "dx7_name", "dx9_name", "from", "until", "type", "legal", "default",
               "action", "modelled", "remark"},
              {}};
  for (const d3d::StateInfo& row : d3d::AllRenderStates()) {
    table.rows.push_back({NumberCell(row.code), TextCell(row.name), TextCell(row.dx7_name),
                          TextCell(row.dx9_name), LevelCell(row.first_level),
                          LevelCell(row.last_level), TextCell(Name(row.type)),
                          TextCell(LegalText(row)), DefaultCell(row), BoolCell(row.has_side_effect),
                          ModelledCell(row), TextCell(row.remark)});
  }
  return table;
}

Table TextureStageStateTable() {
  Table table{
      "texture_stage_states",
      "Texture stage states",
      {"code", "name", "from", "until", "class", "type", "legal", "default", "modelled", "remark"},
      {}};
  for (const d3d::StateInfo& row : d3d::AllTextureStageStates()) {
    table.rows.push_back({NumberCell(row.code), TextCell(row.name), LevelCell(row.first_level),
                          LevelCell(row.last_level), TextCell(Name(row.state_class)),
                          TextCell(Name(row.type)), TextCell(LegalText(row)), DefaultCell(row),
                          ModelledCell(row), TextCell(row.remark)});
  }
  return table;
}

Table EnumerationTable() {
  Table table{
      "enumerations", "Enumerations", {"enumeration", "value", "name", "from", "until"}, {}};
  for (const EnumInfo* info : d3d::AllEnums()) {
    if (info->is_flags) continue;
    for (const EnumValue& row : info->values) {
      table.rows.push_back({TextCell(info->name), NumberCell(row.value), TextCell(row.name),
                            LevelCell(row.first_level), LevelCell(row.last_level)});
    }
  }
  return table;
}

// ---------- flags ----------

// Collects each set of flags once.
class FlagSets {
 public:
  void Add(const EnumInfo* info) {
    if (info == nullptr || !info->is_flags || std::ranges::find(sets_, info) != sets_.end()) return;
    sets_.push_back(info);
  }
  void AddStruct(const opcode::StructDesc* layout) {
    if (layout == nullptr) return;
    for (const opcode::FieldDesc& field : layout->fields)
      Add(field.names);
  }
  template <class Event>
  void AddEvent() {
    if constexpr (requires { trace::VisitFields<Event>(*this); }) trace::VisitFields<Event>(*this);
  }
  // The visitor of an event's fields.
  template <class Class, class Member>
  void operator()(const trace::Field& field, Member Class::*) {
    Add(field.names);
    AddMember(static_cast<Member*>(nullptr));
  }
  const std::vector<const EnumInfo*>& sets() const { return sets_; }

 private:
  template <class Member>
  void AddMember(Member*) {
    AddEvent<Member>();
  }
  template <class Element>
  void AddMember(std::vector<Element>*) {
    AddEvent<Element>();
  }
  template <class Element>
  void AddMember(std::optional<Element>*) {
    AddEvent<Element>();
  }

  std::vector<const EnumInfo*> sets_;
};

template <class... Events>
void AddEvents(FlagSets& sets, std::type_identity<std::variant<Events...>>) {
  (sets.AddEvent<Events>(), ...);
}

// The D3DKMT sets have a table of their own, which knows their versions.
bool IsKmtSet(const EnumInfo& info) {
  return std::ranges::any_of(kmt::AllFlagTables(), [&info](const kmt::FlagTable* table) {
    return table->name == info.name;
  });
}

Table FlagTable() {
  FlagSets sets;
  for (const EnumInfo* info : d3d::AllEnums())
    sets.Add(info);
  for (const opcode::OpInfo& op : opcode::AllOps()) {
    sets.AddStruct(op.fixed);
    sets.AddStruct(op.record);
    for (const opcode::TailDesc& tail : op.tails)
      sets.AddStruct(tail.element);
  }
  AddEvents(sets, std::type_identity<trace::Event::variant>{});

  Table table{"flags",
              "Flags of tokens, states and surfaces",
              {"set", "value", "name", "from", "until"},
              {}};
  for (const EnumInfo* info : sets.sets()) {
    if (IsKmtSet(*info)) continue;
    for (const EnumValue& row : info->values) {
      table.rows.push_back({TextCell(info->name), HexCell(row.value, 8), TextCell(row.name),
                            LevelCell(row.first_level), LevelCell(row.last_level)});
    }
  }
  return table;
}

Table KmtFlagTable() {
  Table table{"kmt_flags", "Flags of D3DKMT structures", {"set", "value", "name", "since"}, {}};
  for (const kmt::FlagTable* set : kmt::AllFlagTables()) {
    for (const kmt::FlagRow& row : set->rows) {
      table.rows.push_back(
          {TextCell(set->name), HexCell(row.mask, 8), TextCell(row.name),
           TextCell(fmt::format("WDDM {}.{}", row.since / 100, row.since % 100 / 10))});
    }
  }
  return table;
}

// ---------- formats ----------

// DDPF_* names of a row, e.g. "RGB|ALPHAPIXELS 32".
std::string LegacyText(const d3d::FormatInfo& info) {
  if (info.legacy_flags == 0) return {};
  std::string text;
  text::AppendFlags(text, trace::kDdPixelFormatFlagNames, info.legacy_flags);
  if (info.legacy_bit_count != 0) text += fmt::format(" {}", info.legacy_bit_count);
  return text;
}

Table FormatTable() {
  Table table{"formats",
              "Pixel formats",
              {"code", "name", "from", "until", "kind", "block", "bytes", "layout", "premultiplied",
               "legacy"},
              {}};
  for (const d3d::FormatInfo& row : d3d::AllFormats()) {
    const auto code = static_cast<uint32_t>(row.format);
    table.rows.push_back({row.is_fourcc() ? HexCell(code, 8) : NumberCell(code), TextCell(row.name),
                          LevelCell(row.first_level), LevelCell(row.last_level),
                          TextCell(Name(row.kind)),
                          TextCell(fmt::format("{}x{}", row.block_width, row.block_height)),
                          NumberCell(row.block_size), TextCell(row.layout),
                          BoolCell(row.is_premultiplied), TextCell(LegacyText(row))});
  }
  return table;
}

// As Markdown links by key; as JSON an array of objects.
Cell SourcesCell(const RuleInfo& rule, SourceLinks& links) {
  Cell cell;
  cell.json = "[";
  for (const RuleSource* const source : SourcesOf(rule)) {
    const bool is_first = cell.text.empty();
    cell.text += fmt::format("{}{}", is_first ? "" : "; ", links.Link(*source));
    cell.json += is_first ? "{\"name\": " : ", {\"name\": ";
    text::AppendQuoted(cell.json, source->name);
    cell.json += source->is_page() ? ", \"page\": " : ", \"url\": ";
    text::AppendQuoted(cell.json, source->place);
    cell.json += '}';
  }
  cell.json += ']';
  return cell;
}

}  // namespace

std::string ListStates(ListFormat format) {
  const Table tables[] = {RenderStateTable(), TextureStageStateTable(), EnumerationTable()};
  return RenderTables(tables, "list states", format);
}

std::string ListFlags(ListFormat format) {
  const Table tables[] = {FlagTable(), KmtFlagTable()};
  return RenderTables(tables, "list flags", format);
}

std::string ListFormats(ListFormat format) {
  const Table tables[] = {FormatTable()};
  return RenderTables(tables, "list formats", format);
}

std::string ListRules(ListFormat format, std::span<const Rule> rules) {
  const bool has_all = format == ListFormat::kJson;
  SourceLinks links("../../");  // of a page in lib/rules
  Table table{"rules", "Rules", {"id", "severity"}, {}};
  // Addresses make lines too long for a terminal; `explain` has them.
  if (format == ListFormat::kMarkdown) table.columns.emplace_back("source");
  if (has_all) table.columns.emplace_back("sources");
  table.columns.emplace_back("summary");
  if (has_all) {
    table.columns.insert(table.columns.end(), {"group", "fault", "family", "scope", "since",
                                               "status", "reason", "remedy", "never"});
  }
  for (const Rule rule : rules) {
    const RuleInfo& row = Info(rule);
    auto& cells = table.rows.emplace_back();
    const std::string_view silence = SilenceOf(rule);
    const std::string summary = has_all || silence.empty()
                                    ? std::string(row.summary)
                                    : fmt::format("{} (never fires: {})", row.summary, silence);
    cells = {TextCell(row.id), TextCell(Name(row.severity))};
    if (format != ListFormat::kText) cells.push_back(SourcesCell(row, links));
    cells.push_back(TextCell(summary));
    if (!has_all) continue;
    for (const std::string_view text :
         {row.group(), Name(row.fault), Name(row.family), Name(row.scope), row.since, row.status,
          row.reason, row.remedy, silence})
      cells.push_back(TextCell(text));
  }
  std::string out = RenderTables({&table, 1}, "rules", format);
  if (format == ListFormat::kMarkdown) out += "\n" + links.Definitions();
  return out;
}

std::string ListCaps(ListFormat format) {
  Table table{"caps", "Capabilities", {"name", "member", "type", "rules", "ignored"}, {}};
  for (const d3d::CapInfo& row : d3d::AllCaps()) {
    table.rows.push_back({TextCell(row.name), TextCell(row.spelling), TextCell(d3d::Name(row.type)),
                          TextCell(row.rules), TextCell(row.why_not)});
  }
  return RenderTables({&table, 1}, "list caps", format);
}

std::string ListRules(ListFormat format) {
  std::vector<Rule> rules;
  for (const RuleInfo& row : AllRules())
    rules.push_back(row.rule);
  return ListRules(format, rules);
}

}  // namespace dp2trace::tables
