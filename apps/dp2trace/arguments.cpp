#include "arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "base/near_miss.h"

namespace dp2trace::app {
namespace {

constexpr const char* kConfig = "--config";
constexpr const char* kNoConfig = "--no-config";

// "-o,--output" as its parts; nothing for "TRACE".
std::vector<std::string> SplitNames(std::string_view names) {
  std::vector<std::string> parts;
  if (!names.starts_with('-')) return parts;
  for (size_t begin = 0; begin < names.size();) {
    const size_t end = std::min(names.find(',', begin), names.size());
    parts.emplace_back(names.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// A whole number, decimal or with 0x, up to `most`.
std::optional<uint64_t> ParseNumber(const std::string& text, uint64_t most) {
  const bool is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data() + (is_hexadecimal ? 2 : 0), end, number,
                                      is_hexadecimal ? 16 : 10);
  if (result.ec != std::errc() || result.ptr != end || number > most) return std::nullopt;
  return number;
}

std::string NotANumber(const std::string& text, uint64_t least, uint64_t most) {
  return fmt::format("'{}' is not a whole number from {} to {}", text, least, most);
}

template <class Number, class Target = Number>
Argument::Take IntoNumber(Target& target) {
  return [&target](const std::string& text) -> std::string {
    constexpr uint64_t kMost = std::numeric_limits<Number>::max();
    const std::optional<uint64_t> number = ParseNumber(text, kMost);
    if (!number) return NotANumber(text, 0, kMost);
    target = static_cast<Number>(*number);
    return {};
  };
}

Argument::Take WithinBounds(uint64_t least, uint64_t most) {
  return [least, most](const std::string& text) {
    const std::optional<uint64_t> number = ParseNumber(text, most);
    return number && *number >= least ? std::string() : NotANumber(text, least, most);
  };
}

std::optional<double> ParseReal(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const bool is_whole = !text.empty() && end == text.c_str() + text.size();
  return is_whole && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

void Collect(const Verb& verb, std::vector<const Verb*>& verbs) {
  verbs.push_back(&verb);
  for (const auto& below : verb.verbs()) {
    if (!below->is_hidden()) Collect(*below, verbs);
  }
}

}  // namespace

Argument::Argument(std::string_view names, std::string value, std::string description, Take take)
    : names_(SplitNames(names)),
      positional_(names_.empty() ? names : ""),
      value_(std::move(value)),
      description_(std::move(description)),
      take_(std::move(take)) {}

Argument& Argument::Value(std::string name) {
  value_ = std::move(name);
  return *this;
}

Argument& Argument::Required() {
  is_required_ = true;
  return *this;
}

Argument& Argument::OneOf(std::vector<std::string> words) {
  value_ = fmt::format("{}", fmt::join(words, "|"));
  choices_ = words;
  return Check([words = std::move(words)](const std::string& text) -> std::string {
    if (std::ranges::find(words, text) != words.end()) return {};
    const std::vector<std::string_view> views(words.begin(), words.end());
    return fmt::format("'{}' is not one of {}{}", text, fmt::join(words, ", "),
                       NearMissClause(text, views));
  });
}

Argument& Argument::Suggest(std::function<std::vector<std::string>()> words) {
  suggest_ = std::move(words);
  return *this;
}

Argument& Argument::Range(int least, int most) {
  bounds_ = fmt::format("{} to {}", least, most);
  return Check(WithinBounds(static_cast<uint64_t>(least), static_cast<uint64_t>(most)));
}

Argument& Argument::Range(uint64_t least, uint64_t most) {
  bounds_ = fmt::format("{} to {}", least, most);
  return Check(WithinBounds(least, most));
}

Argument& Argument::Positive() {
  bounds_ = "above 0";
  return Check([](const std::string& text) -> std::string {
    const std::optional<double> number = ParseReal(text);
    if (number && *number > 0) return {};
    return fmt::format("'{}' is not a number above 0", text);
  });
}

Argument& Argument::Check(Take check) {
  checks_.push_back(std::move(check));
  return *this;
}

Argument& Argument::Delimiter(char delimiter) {
  delimiter_ = delimiter;
  return *this;
}

Argument& Argument::OnePerMention() {
  is_one_per_mention_ = true;
  return *this;
}

Argument& Argument::AtMost(uint32_t count) {
  most_ = count;
  return *this;
}

Argument& Argument::Needs(const Argument& other) {
  needed_.push_back(&other);
  return *this;
}

Argument& Argument::Excludes(Argument& other) {
  excluded_.push_back(&other);
  other.excluded_.push_back(this);
  return *this;
}

std::string Argument::Conditions() const {
  std::vector<std::string> conditions;
  if (!bounds_.empty()) conditions.push_back(bounds_);
  if (is_required_ && !is_positional()) conditions.emplace_back("required");
  for (const Argument* const needed : needed_)
    conditions.push_back("with " + needed->name());
  // One that excludes most of the others says so in its own text: neither names the other.
  constexpr size_t kMostNamed = 8;
  const auto is_selective = [](const Argument* one) { return one->excluded_.size() <= kMostNamed; };
  for (const Argument* const excluded : excluded_) {
    if (is_selective(this) && is_selective(excluded))
      conditions.push_back("not with " + excluded->name());
  }
  return conditions.empty() ? std::string() : fmt::format(" [{}]", fmt::join(conditions, "; "));
}

bool Argument::IsSwitchValue(const std::string& word) const {
  return takes_switch_value_ && !checks_.empty() &&
         std::ranges::all_of(checks_, [&word](const Take& check) { return check(word).empty(); });
}

std::string Argument::TakeWord(const std::string& word) {
  ++count_;
  for (size_t begin = 0; begin <= word.size();) {
    const size_t end =
        delimiter_ ? std::min(word.find(*delimiter_, begin), word.size()) : word.size();
    const std::string value = word.substr(begin, end - begin);
    begin = end + 1;
    for (const Take& check : checks_) {
      std::string problem = check(value);
      if (!problem.empty()) return problem;
    }
    std::string problem = take_(value);
    if (!problem.empty()) return problem;
  }
  return {};
}

Verb::Verb(std::vector<std::string> path, std::string description)
    : path_(std::move(path)), description_(std::move(description)) {
  AddSwitch(std::string("-h,") + kHelp, wants_help_, "Print this help message and exit");
}

Verb& Verb::AddVerb(const std::string& name, const std::string& description) {
  std::vector<std::string> path = path_;
  path.push_back(name);
  return *verbs_.emplace_back(std::make_unique<Verb>(std::move(path), description));
}

Verb& Verb::Hide() {
  is_hidden_ = true;
  return *this;
}

Argument& Verb::Append(std::string_view names, const char* value, const std::string& description,
                       Argument::Take take) {
  return *arguments_.emplace_back(
      std::make_unique<Argument>(names, value, description, std::move(take)));
}

Argument& Verb::Add(std::string_view names, std::string& target, const std::string& description) {
  return Append(names, "TEXT", description, [&target](const std::string& text) {
    target = text;
    return std::string();
  });
}

Argument& Verb::Add(std::string_view names, std::vector<std::string>& target,
                    const std::string& description) {
  const auto take = [&target](const std::string& text) {
    target.push_back(text);
    return std::string();
  };
  return Append(names, "TEXT", description, take).AtMost(Argument::kAnyNumber);
}

Argument& Verb::Add(std::string_view names, uint8_t& target, const std::string& description) {
  return Append(names, "N", description, IntoNumber<uint8_t>(target));
}

Argument& Verb::Add(std::string_view names, uint32_t& target, const std::string& description) {
  return Append(names, "N", description, IntoNumber<uint32_t>(target));
}

Argument& Verb::Add(std::string_view names, uint64_t& target, const std::string& description) {
  return Append(names, "N", description, IntoNumber<uint64_t>(target));
}

Argument& Verb::Add(std::string_view names, std::optional<uint64_t>& target,
                    const std::string& description) {
  return Append(names, "N", description, IntoNumber<uint64_t>(target));
}

Argument& Verb::Add(std::string_view names, double& target, const std::string& description) {
  return Append(names, "NUMBER", description, [&target](const std::string& text) -> std::string {
    const std::optional<double> number = ParseReal(text);
    if (!number) return fmt::format("'{}' is not a number", text);
    target = *number;
    return {};
  });
}

Argument& Verb::AddParsed(std::string_view names, Argument::Take take,
                          const std::string& description) {
  return Append(names, "TEXT", description, std::move(take));
}

Argument& Verb::AddSwitch(std::string_view names, bool& target, const std::string& description,
                          bool value) {
  Argument& argument = Append(names, "", description, [&target, value](const std::string&) {
    target = value;
    return std::string();
  });
  argument.is_switch_ = true;
  if (!value) argument.switch_value_ = "false";
  return argument;
}

Argument& Verb::AddSwitchWithValue(std::string_view names, const std::string& value,
                                   std::string& target, const std::string& description) {
  Argument& argument = Add(names, target, description).Value("");
  argument.is_switch_ = true;
  argument.switch_value_ = value;
  argument.takes_switch_value_ = true;
  return argument;
}

void Verb::TakeConfiguration() {
  is_configurable_ = true;
  Argument& file = Add(kConfig, configuration_,
                       "Where options come from that are not given (.dp2trace.toml, here or above)")
                       .Value("FILE");
  AddSwitch(kNoConfig, ignores_configuration_, "Use only the command line").Excludes(file);
}

bool Verb::IsForCommandLineOnly(const Argument& option) {
  return option.name() == kHelp || option.name() == kConfig || option.name() == kNoConfig;
}

void Verb::SetExample(const std::string& example, const std::string& notes) {
  example_ = example;
  notes_ = notes;
}

std::string Verb::FullName(const std::string& separator) const {
  std::string text = "dp2trace";
  for (const std::string& word : path_)
    text += separator + word;
  return text;
}

std::vector<Argument*> Verb::Options() const {
  std::vector<Argument*> options;
  for (const auto& argument : arguments_) {
    if (!argument->is_positional()) options.push_back(argument.get());
  }
  return options;
}

std::vector<Argument*> Verb::Positionals() const {
  std::vector<Argument*> positionals;
  for (const auto& argument : arguments_) {
    if (argument->is_positional()) positionals.push_back(argument.get());
  }
  return positionals;
}

Argument* Verb::FindOption(std::string_view name) const {
  for (const auto& argument : arguments_) {
    if (std::ranges::find(argument->names(), name) != argument->names().end())
      return argument.get();
  }
  return nullptr;
}

Verb* Verb::FindVerb(std::string_view name) const {
  for (const auto& verb : verbs_) {
    if (verb->path_.back() == name) return verb.get();
  }
  return nullptr;
}

uint64_t Verb::count(std::string_view name) const {
  const Argument* const option = FindOption(name);
  return option == nullptr ? 0 : option->count();
}

std::vector<const Verb*> ShownVerbs(const Verb& program) {
  std::vector<const Verb*> verbs;
  Collect(program, verbs);
  return verbs;
}

}  // namespace dp2trace::app
