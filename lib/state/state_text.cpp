// The state at a draw as lines of text.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/plain_text.h"
#include "state/state_difference.h"
#include "state/state_report.h"

namespace dp2trace::state {
namespace {

constexpr size_t kNameWidth = 30;
constexpr size_t kValueWidth = 28;
constexpr size_t kLineWidth = 120;

std::string PlaceText(const TokenPlace& place) {
  std::string text = fmt::format("event {}", place.event);
  if (place.offset) text += fmt::format(", offset {:#x}", *place.offset);
  return text + fmt::format(", {}", place.name);
}

std::string WriteText(const StateWrite& write) {
  std::string text = PlaceText(write.place);
  if (!write.block) return text;
  text += fmt::format(" of block {}", *write.block);
  if (write.recorded) text += fmt::format(" (recorded at {})", PlaceText(*write.recorded));
  return text;
}

// "event 5, offset 0x10, RENDERSTATE; changed at event 3, ...".
std::string OriginText(const StateOrigin& origin) {
  if (!origin.set) return "never set";
  std::string text = WriteText(*origin.set);
  if (origin.changed && *origin.changed != *origin.set)
    text += "; has this value since " + WriteText(*origin.changed);
  if (!origin.changed) text += "; never had another value";
  return text;
}

std::string DrawText(const StateAtDraw& at) {
  const FoundDraw& draw = at.draw;
  std::string text = fmt::format("draw {}: frame {}, event {}, {}\n", draw.token.number, draw.frame,
                                 draw.event, draw.command);
  if (draw.marker) text += fmt::format("marker: {}\n", Plain(Describe(*draw.marker)));
  text += fmt::format("context {}", at.state.context);
  if (at.state.space != 0) text += fmt::format(" of space {}", at.state.space);
  return text + fmt::format(", driver level {}, runtime version {}\n", at.state.level,
                            at.state.runtime_version);
}

// A group's title before its first entry.
class GroupTitles {
 public:
  explicit GroupTitles(std::string& out) : out_(&out) {}
  void Enter(StateGroup group) {
    if (is_started_ && group == group_) return;
    is_started_ = true;
    group_ = group;
    *out_ += fmt::format("\n{}\n", TitleOf(group));
  }

 private:
  std::string* out_;
  bool is_started_ = false;
  StateGroup group_{};
};

void AppendSet(std::string& out, const StateEntry& entry) {
  const bool is_obvious = entry.group == StateGroup::kTarget || entry.default_value == entry.value;
  const std::string beside =
      is_obvious ? std::string() : fmt::format("(default {})  ", entry.default_value);
  // What is long has its setter below it.
  const bool is_long = entry.value.size() + beside.size() > 2 * kValueWidth;
  const std::string break_before =
      is_long ? "\n" + std::string(kNameWidth + 3, ' ') : std::string("  ");
  out += fmt::format("  {:<{}} {:<{}}{}{}{}\n", entry.name, kNameWidth, entry.value,
                     is_long ? 0 : kValueWidth, break_before, beside, OriginText(entry.origin));
}

// Names and values, several on a line.
class ShortEntries {
 public:
  explicit ShortEntries(std::string& out) : out_(&out) {}
  ~ShortEntries() { EndLine(); }

  template <class Wanted>
  void AddAll(const std::vector<StateEntry>& entries, Wanted wanted) {
    for (const StateEntry& entry : entries) {
      if (wanted(entry)) Add(entry);
    }
  }

 private:
  void Add(const StateEntry& entry) {
    const std::string text = fmt::format("{}={}", entry.name, entry.value);
    const bool is_new_group = !group_ || entry.group != *group_;
    if (is_new_group || line_.size() + text.size() + 1 > kLineWidth) {
      EndLine();
      line_ = is_new_group ? fmt::format("  {}:", TitleOf(entry.group)) : "   ";
      group_ = entry.group;
    }
    line_ += ' ' + text;
  }

  void EndLine() {
    if (!line_.empty()) *out_ += line_ + '\n';
    line_.clear();
  }

  std::string* out_;
  std::string line_;
  std::optional<StateGroup> group_;
};

void AppendDefaults(std::string& out, const StateSnapshot& state, bool lists_all) {
  out += "\nset to the default\n";
  ShortEntries(out).AddAll(state.entries, [](const StateEntry& entry) {
    return entry.is_default && entry.origin.set.has_value();
  });
  const auto is_untouched = [](const StateEntry& entry) {
    return entry.is_default && !entry.origin.set;
  };
  if (!lists_all) {
    out += fmt::format("\nnever set: {} other values (--all lists them)\n",
                       std::ranges::count_if(state.entries, is_untouched));
    return;
  }
  out += "\nnever set\n";
  ShortEntries(out).AddAll(state.entries, is_untouched);
}

// The version, and the instructions with their numbers.
void AppendInstructions(std::string& out, std::string_view lines) {
  for (size_t number = 0; !lines.empty(); ++number) {
    const size_t size = std::min(lines.find('\n'), lines.size() - 1) + 1;
    out += number == 0 ? "  " : fmt::format("  {:>4}  ", number);
    out += lines.substr(0, size);
    lines.remove_prefix(size);
  }
}

void AppendLayout(std::string& out, const std::vector<Mesh>& meshes) {
  if (meshes.empty()) return;
  out += "\nvertex layout\n";
  for (const device::VertexElement& element : meshes.front().layout.elements)
    out += fmt::format("  {}\n", ElementText(element));
}

void AppendShader(std::string& out, std::string_view title, const std::string& assembly) {
  if (assembly.empty()) return;
  out += fmt::format("\n{}\n", title);
  AppendInstructions(out, assembly);
}

std::string SideText(const StateEntry* entry, const StateEntry& other) {
  return entry != nullptr ? entry->value : other.default_value;
}

void AppendAssemblyDifference(std::string& out, std::string_view title, const std::string& from,
                              const std::string& to) {
  if (from == to) return;
  out += fmt::format("\n{}: from\n", title);
  AppendInstructions(out, from.empty() ? "fixed function\n" : from);
  out += "to\n";
  AppendInstructions(out, to.empty() ? "fixed function\n" : to);
}

}  // namespace

std::string StateText(const StateAtDraw& at, bool lists_all) {
  std::string out = DrawText(at);
  GroupTitles titles(out);
  for (const StateEntry& entry : at.state.entries) {
    if (entry.is_default) continue;
    titles.Enter(entry.group);
    AppendSet(out, entry);
  }
  AppendLayout(out, at.meshes);
  AppendShader(out, "assembly of the vertex shader", at.state.vertex_shader);
  AppendShader(out, "assembly of the pixel shader", at.state.pixel_shader);
  AppendDefaults(out, at.state, lists_all);
  return out;
}

std::string StateDifferenceText(const StateAtDraw& from, const StateAtDraw& to) {
  std::string out = "from " + DrawText(from) + "to " + DrawText(to);
  const std::vector<DifferentEntry> differences = CompareStates(from.state, to.state);
  GroupTitles titles(out);
  for (const DifferentEntry& different : differences) {
    const StateEntry& entry = different.either();
    titles.Enter(entry.group);
    out += fmt::format("  {:<{}} {} -> {}  {}\n", entry.name, kNameWidth,
                       SideText(different.from, entry), SideText(different.to, entry),
                       different.to != nullptr ? OriginText(different.to->origin) : "not there");
  }
  AppendAssemblyDifference(out, "assembly of the vertex shader", from.state.vertex_shader,
                           to.state.vertex_shader);
  AppendAssemblyDifference(out, "assembly of the pixel shader", from.state.pixel_shader,
                           to.state.pixel_shader);
  out += fmt::format("\n{} value{} differ{}\n", differences.size(),
                     differences.size() == 1 ? "" : "s", differences.size() == 1 ? "s" : "");
  return out;
}

}  // namespace dp2trace::state
