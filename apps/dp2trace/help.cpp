#include "help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace dp2trace::app {
namespace {

constexpr OptionRow kOptionRows[] = {
#define DP2TRACE_OPTION(group, name) {group, name},
#include "option_groups.def"
};

constexpr size_t kColumn = 26;  // where descriptions start

struct Page {
  size_t width = 0;
  std::string text;
};

// `text` in lines that end before the width, those after the first one indented by `column`.
void AppendWrapped(Page& page, std::string_view text, size_t column) {
  size_t at = column;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    const size_t length = end - begin;
    if (at != column && at + 1 + length > page.width) {
      page.text += "\n" + std::string(column, ' ');
      at = column;
    }
    if (at != column) {
      page.text += ' ';
      ++at;
    }
    page.text += text.substr(begin, length);
    at += length;
    begin = end + 1;
  }
  page.text += '\n';
}

void AppendLine(Page& page, const std::string& head, const std::string& description) {
  const std::string indented = "  " + head;
  page.text += fmt::format("{:<{}}", indented, kColumn);
  if (indented.size() >= kColumn) page.text += "\n" + std::string(kColumn, ' ');
  AppendWrapped(page, description, kColumn);
}

std::string Head(const Argument& argument) {
  if (argument.is_positional()) return argument.name() + (argument.is_list() ? "..." : "");
  std::string head = fmt::format("{}", fmt::join(argument.names(), ", "));
  if (!argument.value().empty()) head += " " + argument.value();
  return head;
}

std::string Description(const Argument& argument) {
  const std::string choices = argument.is_positional() && argument.value() != "TEXT"
                                  ? argument.value() + ": "
                                  : std::string();
  return choices + argument.description() + argument.Conditions();
}

void AppendArguments(Page& page, const std::string& title,
                     const std::vector<Argument*>& arguments) {
  if (arguments.empty()) return;
  page.text += fmt::format("\n{}:\n", title);
  for (const Argument* const argument : arguments)
    AppendLine(page, Head(*argument), Description(*argument));
}

std::string Usage(const Verb& verb) {
  std::string usage = verb.FullName(" ");
  if (!verb.verbs().empty()) return usage + " VERB [OPTIONS]";
  for (const Argument* const argument : verb.Positionals()) {
    const std::string text = Head(*argument);
    usage += argument->is_required() ? " " + text : " [" + text + "]";
  }
  return usage + " [OPTIONS]";
}

void AppendVerbs(Page& page, const Verb& verb) {
  std::string group;
  bool is_first = true;
  for (const auto& below : verb.verbs()) {
    if (below->is_hidden()) continue;
    if (is_first || below->group() != group) {
      group = below->group();
      page.text += fmt::format("\n{}:\n", group.empty() ? "Verbs" : group);
    }
    is_first = false;
    AppendLine(page, below->path().back(), below->description());
  }
}

}  // namespace

std::span<const OptionRow> OptionRows() {
  return kOptionRows;
}

std::vector<OptionGroup> OptionGroupsOf(const Verb& verb) {
  const std::vector<Argument*> options = verb.Options();
  if (options.size() <= kMostUngrouped) return {{"Options", options}};
  std::vector<OptionGroup> groups;
  std::string_view group;
  for (const OptionRow& row : kOptionRows) {
    if (std::exchange(group, row.group) == row.group) continue;
    groups.push_back({fmt::format("{} options", row.group), {}});
    for (Argument* const option : options) {
      const auto* const found = std::ranges::find(kOptionRows, option->name(), &OptionRow::option);
      if (found != std::end(kOptionRows) && found->group == row.group)
        groups.back().options.push_back(option);
    }
  }
  std::erase_if(groups, [](const OptionGroup& one) { return one.options.empty(); });
  return groups;
}

std::string HelpText(const Verb& verb, size_t width) {
  Page page{width, {}};
  AppendWrapped(page, verb.description(), 0);
  page.text += fmt::format("Usage: {}\n", Usage(verb));
  AppendVerbs(page, verb);
  AppendArguments(page, "Arguments", verb.Positionals());
  for (const OptionGroup& group : OptionGroupsOf(verb))
    AppendArguments(page, group.title, group.options);
  if (!verb.notes().empty()) page.text += "\n" + verb.notes() + "\n";
  if (!verb.example().empty()) page.text += "\nExample:\n  " + verb.example() + "\n";
  return page.text;
}

size_t HelpWidth(uint32_t columns) {
  constexpr uint32_t kLeast = 60, kMost = 120, kUsual = 100;
  return columns == 0 ? kUsual : std::clamp(columns, kLeast, kMost);
}

}  // namespace dp2trace::app
