#include "manual.h"

#include <fmt/format.h>

#include "help.h"

namespace dp2trace::app {
namespace {

// Text of man(7): no request at the start of a line, no hyphen that is typeset as a dash.
std::string Escape(const std::string& text) {
  std::string out;
  bool at_start = true;
  for (const char c : text) {
    if (at_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    at_start = c == '\n';
  }
  return out;
}

std::string OptionHead(const Argument& option) {
  std::string head;
  for (const std::string& name : option.names())
    head += (head.empty() ? "" : ", ") + fmt::format("\\fB{}\\fR", Escape(name));
  const std::string value = option.is_positional() ? option.name() : option.value();
  if (!value.empty()) head += fmt::format("{}\\fI{}\\fR", head.empty() ? "" : " ", Escape(value));
  return head;
}

void AppendArguments(std::string& page, const std::vector<Argument*>& options) {
  for (const Argument* const option : options)
    page += fmt::format(".TP\n{}\n{}\n", OptionHead(*option),
                        Escape(option->description() + option->Conditions()));
}

void AppendOptions(std::string& page, const Verb& verb) {
  const std::vector<OptionGroup> groups = OptionGroupsOf(verb);
  page += ".SH OPTIONS\n";
  for (const OptionGroup& group : groups) {
    if (groups.size() != 1) page += fmt::format(".SS {}\n", group.title);
    AppendArguments(page, group.options);
  }
}

// What each exit code means; where several hold, the first of 4, 2, 3, 1, 77 counts. Source: lib/design.md 7.
constexpr const char* kExitStatus =
    ".SH EXIT STATUS\n"
    ".TP\n0\nfine\n"
    ".TP\n1\nfindings at or above the level of \\fB\\-\\-fail\\-on\\fR, or pictures or traces that differ\n"
    ".TP\n2\nwrong usage\n"
    ".TP\n3\ninput that cannot be read, is truncated or damaged (what could be read has been worked on), or output "
    "that cannot be written\n"
    ".TP\n4\ninternal error\n"
    ".TP\n77\nnothing to do\n";

}  // namespace

std::string ManualPage(const std::vector<const Verb*>& verbs, size_t index) {
  const Verb& verb = *verbs[index];
  std::string title = verb.FullName("-");
  for (char& c : title)
    c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  std::string page =
      fmt::format(".\\\" Written from the options of dp2trace.\n.TH {} 1\n", Escape(title));
  page +=
      fmt::format(".SH NAME\n{} \\- {}\n", Escape(verb.FullName("-")), Escape(verb.description()));
  page += fmt::format(".SH SYNOPSIS\n\\fB{}\\fR", Escape(verb.FullName(" ")));
  if (!verb.verbs().empty()) page += " \\fIVERB\\fR";
  for (const Argument* const argument : verb.Positionals()) {
    const std::string text = "\\fI" + Escape(argument->name()) + "\\fR";
    page += argument->is_required() ? " " + text : " [" + text + "]";
  }
  page += " [\\fIoptions\\fR]\n";
  if (!verb.Positionals().empty()) page += ".SH ARGUMENTS\n";
  AppendArguments(page, verb.Positionals());
  if (!verb.verbs().empty()) {
    page += ".SH VERBS\n";
    for (const auto& below : verb.verbs()) {
      if (below->is_hidden()) continue;
      page += fmt::format(".TP\n\\fB{}\\fR\n{}\n", Escape(below->path().back()),
                          Escape(below->description()));
    }
  }
  AppendOptions(page, verb);
  page += kExitStatus;
  if (!verb.notes().empty()) page += ".SH NOTES\n" + Escape(verb.notes()) + "\n";
  if (!verb.example().empty()) page += ".SH EXAMPLE\n.nf\n" + Escape(verb.example()) + "\n.fi\n";
  if (!verb.path().empty()) page += ".SH SEE ALSO\n.BR dp2trace (1)\n";
  return page;
}

}  // namespace dp2trace::app
