#include "options.h"

#include "base/date.h"

#include <charconv>
#include <optional>
#include <utility>

#include "base/checked.h"

namespace dp2trace::app {
namespace {

std::optional<uint64_t> ParseSize(const std::string& text) {
  uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number);
  if (result.ec != std::errc() || number == 0 || end - result.ptr > 1) return std::nullopt;
  if (result.ptr == end) return number;
  switch (*result.ptr) {
    case 'K':
    case 'k':
      return CheckedMul(number, uint64_t{1} << 10);
    case 'M':
    case 'm':
      return CheckedMul(number, uint64_t{1} << 20);
    case 'G':
    case 'g':
      return CheckedMul(number, uint64_t{1} << 30);
  }
  return std::nullopt;
}

template <class T>
void AddParsedSize(CLI::App& command, const std::string& name, T& bytes, const std::string& what) {
  const auto parse = [&bytes, name](const std::string& text) {
    const std::optional<uint64_t> size = ParseSize(text);
    if (!size) {
      throw CLI::ValidationError(
          name, "'" + text + "' is not a size; expected bytes, or a number with K, M or G");
    }
    bytes = *size;
  };
  command.add_option_function<std::string>(name, parse, what)->type_name("SIZE");
}

}  // namespace

CLI::Validator OneOf(std::vector<std::string> words) {
  return CLI::IsMember(std::move(words)).description("");
}

void AddSize(CLI::App& command, const std::string& name, uint64_t& bytes, const std::string& what) {
  AddParsedSize(command, name, bytes, what);
}

void AddSize(CLI::App& command, const std::string& name, std::optional<uint64_t>& bytes,
             const std::string& what) {
  AddParsedSize(command, name, bytes, what);
}

void AddMaxMemory(CLI::App& command, uint64_t& bytes) {
  AddSize(command, "--max-memory", bytes, "Most memory for reading, with K, M or G (1G)");
}

CLI::Option* AddSelection(CLI::App& command, const std::string& name, Selection& selection,
                          const std::string& what) {
  const auto parse = [&selection, name](const std::string& text) {
    std::string error;
    const std::optional<Selection> parsed = Selection::Parse(text, error);
    if (!parsed) throw CLI::ValidationError(name, error);
    selection = *parsed;
  };
  return command.add_option_function<std::string>(name, parse, what)->type_name("SEL");
}

void AddFailOn(CLI::App& command, std::optional<Severity>& severity) {
  const auto set = [&severity](const std::string& text) {
    severity.reset();
    for (const Severity value : {Severity::kAdvice, Severity::kWarning, Severity::kError}) {
      if (text == Name(value)) severity = value;
    }
  };
  command
      .add_option_function<std::string>("--fail-on", set,
                                        "Least severity that makes the exit code 1 (error)")
      ->check(OneOf({"error", "warning", "advice", "never"}))
      ->type_name("error|warning|advice|never");
}

void AddFormat(CLI::App& command, bool& json) {
  command
      .add_option_function<std::string>(
          "--format", [&json](const std::string& text) { json = text == "json"; },
          "Form of the output (text)")
      ->check(OneOf({"text", "json"}))
      ->type_name("text|json");
}

void AddTableFormat(CLI::App& command, text::ListFormat& format) {
  const auto set = [&format](const std::string& text) {
    format = text == "json"       ? text::ListFormat::kJson
             : text == "markdown" ? text::ListFormat::kMarkdown
                                  : text::ListFormat::kText;
  };
  command.add_option_function<std::string>("--format", set, "Form of the output (text)")
      ->check(OneOf({"text", "json", "markdown"}))
      ->type_name("text|json|markdown");
}

void AddToday(CLI::App& command, std::string& day) {
  day = Today();
  const auto check = [](const std::string& text) {
    return IsDate(text) ? "" : "'" + text + "' is no day; expected YYYY-MM-DD";
  };
  command.add_option("--today", day, "The day by which entries expire (today, UTC)")
      ->check(CLI::Validator(check, ""))
      ->type_name("YYYY-MM-DD");
}

void AddExample(CLI::App& command, const std::string& example, const std::string& notes) {
  command.footer(notes + (notes.empty() ? "" : "\n\n") + "Example:\n  " + example);
}

}  // namespace dp2trace::app
