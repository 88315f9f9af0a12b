#include "options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <thread>

#include "base/checked.h"
#include "base/date.h"
#include "base/plain_text.h"
#include "console.h"
#include "os/files.h"
#include "trace_file/form.h"

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
void AddParsedSize(Verb& command, const std::string& name, T& bytes, const std::string& what) {
  const auto parse = [&bytes](const std::string& text) -> std::string {
    const std::optional<uint64_t> size = ParseSize(text);
    if (!size) return "'" + text + "' is not a size; expected bytes, or a number with K, M or G";
    bytes = *size;
    return {};
  };
  command.AddParsed(name, parse, what).Value("SIZE");
}

}  // namespace

void AddSize(Verb& command, const std::string& name, uint64_t& bytes, const std::string& what) {
  AddParsedSize(command, name, bytes, what);
}

void AddSize(Verb& command, const std::string& name, std::optional<uint64_t>& bytes,
             const std::string& what) {
  AddParsedSize(command, name, bytes, what);
}

void AddTraceOutput(Verb& command, TraceOutput& output, const std::string& what) {
  command.Add("OUT", output.path, what).Required();
  AddForce(command, output.is_forced, "Replace OUT where it exists");
}

void AddForce(Verb& command, bool& is_forced, const std::string& what) {
  command.AddSwitch("--force", is_forced, what);
}

ExitCode CheckOutput(const TraceOutput& output, bool takes_stream) {
  if (takes_stream && output.path == "-") return ExitCode::kOk;
  if (!trace_file::FormOfPath(output.path)) return UnknownForm(output.path);
  return CheckPlaces({output.path}, output.is_forced);
}

ExitCode CheckPlaces(const std::vector<std::string>& paths, bool is_forced) {
  if (is_forced) return ExitCode::kOk;
  const auto is_taken = [](std::string path) {
    if (path.empty() || path == "-" || FollowLinks(path)) return false;
    const FileState state = LookAt(path);
    return state.kind == FileKind::kRegular && state.size != 0;
  };
  const auto taken = std::ranges::find_if(paths, is_taken);
  if (taken == paths.end()) return ExitCode::kOk;
  return UsageError(Plain(*taken) + " exists; --force replaces it");
}

void AddAllowCi(Verb& command, bool& is_allowed) {
  command.AddSwitch("--allow-ci", is_allowed, "Accept although the environment says CI=true");
}

bool IsRefusedInCi(bool is_allowed, std::string_view what) {
  const char* const value = std::getenv("CI");
  const bool is_set =
      value != nullptr && (std::string_view(value) == "true" || std::string_view(value) == "1");
  if (!is_set || is_allowed) return false;
  PrintError(fmt::format("refusing to accept {} because CI is set; --allow-ci overrides", what));
  return true;
}

void AddMaxMemory(Verb& command, uint64_t& bytes) {
  AddSize(command, "--max-memory", bytes,
          "Memory of the program; what a trace may hold grows with it, with K, M or G (1G)");
}

Argument& AddSelection(Verb& command, const std::string& name, Selection& selection,
                       const std::string& what) {
  const auto parse = [&selection](const std::string& text) {
    std::string error;
    const std::optional<Selection> parsed = Selection::Parse(text, error);
    if (parsed) selection = *parsed;
    return parsed ? std::string() : error;
  };
  return command.AddParsed(name, parse, what).Value("SEL");
}

void AddFailOn(Verb& command, std::optional<Severity>& severity) {
  const auto set = [&severity](const std::string& text) {
    severity.reset();
    for (const Severity value : {Severity::kAdvice, Severity::kWarning, Severity::kError}) {
      if (text == Name(value)) severity = value;
    }
    return std::string();
  };
  command.AddParsed("--fail-on", set, "Least severity that makes the exit code 1 (error)")
      .OneOf({"error", "warning", "advice", "never"});
}

Argument& AddTraces(Verb& command, std::vector<std::string>& traces) {
  return command.Add(
      "TRACE", traces,
      "Traces to read, .dp2t or .json; folders and patterns of them; - is standard input");
}

void AddJobs(Verb& command, uint32_t& jobs) {
  command.Add("-j,--jobs", jobs, "Traces at a time; 0: one per processor (1)")
      .Range(uint64_t{0}, uint64_t{256})
      .Value("N");
  command.OnRead([&jobs] {
    if (jobs == 0) jobs = std::max(1U, std::thread::hardware_concurrency());
  });
}

void AddFormat(Verb& command, bool& json) {
  const auto set = [&json](const std::string& text) {
    json = text == "json";
    return std::string();
  };
  command.AddParsed("--format", set, "Form of the output (text)").OneOf({"text", "json"});
  command.OnRead([&json, &command] {
    if (json) ExpectJson(command.path().front());
  });
}

void AddTableFormat(Verb& command, tables::ListFormat& format) {
  const auto set = [&format](const std::string& text) {
    format = text == "json"       ? tables::ListFormat::kJson
             : text == "markdown" ? tables::ListFormat::kMarkdown
                                  : tables::ListFormat::kText;
    return std::string();
  };
  command.AddParsed("--format", set, "Form of the output (text)")
      .OneOf({"text", "json", "markdown"});
  command.OnRead([&format, &command] {
    if (format == tables::ListFormat::kJson) ExpectJson(command.path().front());
  });
}

void AddToday(Verb& command, std::string& day) {
  day = Today();
  const auto check = [](const std::string& text) {
    return IsDate(text) ? std::string() : "'" + text + "' is not a date; expected YYYY-MM-DD";
  };
  command.Add("--today", day, "The day by which entries expire (today, UTC)")
      .Check(check)
      .Value("YYYY-MM-DD");
}

}  // namespace dp2trace::app
