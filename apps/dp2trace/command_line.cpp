// The only file that knows CLI11: it sorts words into verbs, options and their values. What is wrong with them, is said here in our own
// words, so that they are the same with each of its versions.
#include "command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "configuration.h"
#include "unknown_words.h"

namespace dp2trace::app {
namespace {

// Some versions refuse names of positional arguments that others take: all of a verb share a plain one.
constexpr const char* kWords = "WORDS";

// How CLI11 sees a verb.
struct Twin {
  CLI::App* app = nullptr;
  std::map<const Argument*, CLI::Option*> options;
  CLI::Option* words = nullptr;
};
using WordList = std::vector<std::string>;
using Twins = std::map<const Verb*, Twin>;

CLI::Option* AddOption(CLI::App& app, const Argument& argument) {
  std::string names = fmt::format("{}", fmt::join(argument.names(), ","));
  if (argument.is_switch()) {
    if (argument.takes_switch_value()) names += "{" + argument.switch_value() + "}";
    CLI::Option* const option = app.add_flag(names);
    if (!argument.takes_switch_value()) option->disable_flag_override();
    return option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
  CLI::Option* const option = app.add_option(names, CLI::callback_t());
  if (argument.is_list()) {
    option->expected(1, CLI::detail::expected_max_vector_size);
    option->allow_extra_args(!argument.is_one_per_mention());
  }
  return option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

// Requirements are checked here, not there: nothing but the words of a single option can be wrong for CLI11.
void AddTwin(const Verb& verb, CLI::App& app, Twins& twins) {
  Twin& twin = twins[&verb];
  twin.app = &app;
  app.set_help_flag();
  app.allow_extras();
  // On Windows "/folder/a.dp2t" is a file, not an option.
  app.allow_windows_style_options(false);
  app.require_subcommand(0, 1);
  for (const Argument* const option : verb.Options())
    twin.options[option] = AddOption(app, *option);
  if (!verb.Positionals().empty()) {
    twin.words = app.add_option(kWords, CLI::callback_t());
    twin.words->expected(0, CLI::detail::expected_max_vector_size)->allow_extra_args();
    twin.words->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
  for (const auto& below : verb.verbs())
    AddTwin(*below, *app.add_subcommand(below->path().back()), twins);
}

// The words of each option, as far as they were read.
std::vector<std::string> WordsOf(const CLI::Option& option) {
  return option.count() == 0 ? std::vector<std::string>() : option.results();
}

// An option without its value, or a switch with one.
std::string DescribeMismatch(const Verb& verb, const std::vector<std::string>& words) {
  for (size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    const size_t equals = words[i].find('=');
    const Argument* const option = verb.FindOption(words[i].substr(0, equals));
    if (option == nullptr) continue;
    if (option->is_switch()) {
      if (equals != std::string::npos && !option->takes_switch_value())
        return option->name() + " takes no value";
      continue;
    }
    const bool has_value =
        equals != std::string::npos
            ? equals + 1 != words[i].size()
            : i + 1 != words.size() && words[i + 1] != "--" &&
                  verb.FindOption(words[i + 1].substr(0, words[i + 1].find('='))) == nullptr;
    if (!has_value) return fmt::format("{} needs a value: {}", option->name(), option->value());
  }
  return "the command line cannot be read";
}

std::string TakeWords(Argument& argument, const std::vector<std::string>& words) {
  if (words.size() > argument.most() && !argument.is_switch()) {
    return argument.most() == 1 ? argument.name() + " is given more than once"
                                : fmt::format("{} takes {} values at most, {} are given",
                                              argument.name(), argument.most(), words.size());
  }
  for (const std::string& word : words) {
    const std::string problem = argument.TakeWord(word);
    if (!problem.empty()) return argument.name() + ": " + problem;
  }
  return {};
}

// Those before a list take one word each from the start, those after it from the end; the list has what is between.
std::string TakePositionals(const Verb& verb, const std::vector<std::string>& words) {
  const std::vector<Argument*> positionals = verb.Positionals();
  size_t begin = 0;
  for (size_t i = 0; i < positionals.size(); ++i) {
    const size_t after = positionals.size() - i - 1;
    const size_t left = words.size() - begin;
    const size_t least = std::min<size_t>(left, 1);
    const size_t taken =
        positionals[i]->is_list() ? std::max(least, left - std::min(left, after)) : least;
    const auto first = words.begin() + static_cast<std::ptrdiff_t>(begin);
    std::string problem =
        TakeWords(*positionals[i], {first, first + static_cast<std::ptrdiff_t>(taken)});
    if (!problem.empty()) return problem;
    begin += taken;
  }
  return begin == words.size() ? std::string() : "unexpected argument " + words[begin];
}

std::string CheckRequirements(const Verb& verb) {
  std::vector<Argument*> arguments = verb.Positionals();
  const std::vector<Argument*> options = verb.Options();
  arguments.insert(arguments.end(), options.begin(), options.end());
  for (const Argument* const argument : arguments) {
    if (argument->is_required() && argument->count() == 0) return argument->name() + " is required";
    if (argument->count() == 0) continue;
    for (const Argument* const needed : argument->needed()) {
      if (needed->count() == 0) return argument->name() + " needs " + needed->name();
    }
    for (const Argument* const excluded : argument->excluded()) {
      if (excluded->count() != 0)
        return fmt::format("{} and {} exclude each other", argument->name(), excluded->name());
    }
  }
  return {};
}

bool IsGiven(const Argument& argument) {
  return argument.count() != 0;
}

// The options that the command line leaves to the file of the configuration: neither they nor what excludes them is given.
std::string TakeConfigured(const Verb& program, const Verb& verb) {
  Configuration configuration;
  std::string problem = LoadConfiguration(program, verb, configuration);
  if (!problem.empty()) return problem;
  std::vector<SettingInForce> settings = SettingsOf(verb, configuration);
  std::erase_if(settings, [](const SettingInForce& held) {
    return IsGiven(*held.option) ||
           std::ranges::any_of(held.option->excluded(),
                               [](const Argument* other) { return IsGiven(*other); });
  });
  return TakeSettings(settings, configuration.path);
}

std::string TakeAll(const Verb& verb, const Twin& twin, const WordList& after) {
  for (Argument* const option : verb.Options()) {
    std::string problem = TakeWords(*option, WordsOf(*twin.options.at(option)));
    if (!problem.empty()) return problem;
  }
  WordList words = twin.words == nullptr ? WordList() : WordsOf(*twin.words);
  words.insert(words.end(), after.begin(), after.end());
  return TakePositionals(verb, words);
}

// `--frames 1-3` of a switch that may have a value as `--frames=1-3`.
WordList JoinValues(const Verb& program, const WordList& words) {
  const Verb* verb = &program;
  WordList joined;
  for (size_t i = 0; i < words.size(); ++i) {
    joined.push_back(words[i]);
    if (const Verb* const below = verb->FindVerb(words[i]); below != nullptr) verb = below;
    const Argument* const option = verb->FindOption(words[i]);
    if (option != nullptr && i + 1 != words.size() && option->IsSwitchValue(words[i + 1]))
      joined.back() += "=" + words[++i];
  }
  return joined;
}

// `--format json`, also where the words cannot be read as a whole.
bool WantsJson(const WordList& words) {
  const auto end = std::ranges::find(words, "--");
  for (auto word = words.begin(); word != end; ++word) {
    const bool is_option = *word == "--format" && word + 1 != end && word[1] == "json";
    if (is_option || *word == "--format=json") return true;
  }
  return false;
}

bool IsGiven(const Verb& verb, const Twin& twin, const char* name) {
  const Argument* const option = verb.FindOption(name);
  return option != nullptr && twin.options.at(option)->count() != 0;
}

}  // namespace

std::string TakeSettings(const std::vector<SettingInForce>& settings, const std::string& path) {
  for (const SettingInForce& held : settings) {
    const std::string problem = TakeWords(*held.option, WordsOf(*held.option, *held.setting, path));
    if (!problem.empty()) return fmt::format("{}:{}: {}", path, held.setting->line, problem);
  }
  return {};
}

Request ReadCommandLine(const Verb& program, const std::vector<std::string>& given) {
  const WordList words = JoinValues(program, given);
  CLI::App app;
  Twins twins;
  AddTwin(program, app, twins);
  // All that is after -- is positional, of the last verb.
  const auto end = std::ranges::find(words, "--");
  const WordList after(end == words.end() ? end : end + 1, words.end());
  bool is_readable = true;
  try {
    app.parse(WordList(std::make_reverse_iterator(end), words.rend()));
  } catch (const CLI::ParseError&) {
    is_readable = false;
  }
  std::vector<const Verb*> chain = {&program};
  for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
    at = at->get_subcommands().front();
    chain.push_back(chain.back()->FindVerb(at->get_name()));
  }
  Request request;
  request.verb = chain.back();
  request.wants_json = WantsJson(words);
  for (const Verb* const verb : chain)
    request.wants_help = request.wants_help || IsGiven(*verb, twins.at(verb), Verb::kHelp);
  if (request.wants_help) {
    request.problem = DescribeUnknownVerb(program, words);
    return request;
  }
  const WordList left_over = app.remaining(true);
  if (!is_readable || !left_over.empty()) {
    request.problem = DescribeUnknown(program, words);
    if (request.problem.empty()) {
      request.problem = is_readable ? "unexpected argument " + left_over.front()
                                    : DescribeMismatch(*request.verb, words);
    }
    return request;
  }
  for (const Verb* const verb : chain) {
    request.problem = TakeAll(*verb, twins.at(verb), verb == request.verb ? after : WordList());
    if (request.problem.empty()) {
      request.problem = TakeConfigured(program, *verb);
      request.is_configured = !request.problem.empty();
    }
    if (request.problem.empty()) request.problem = CheckRequirements(*verb);
    if (!request.problem.empty()) return request;
  }
  for (const auto& work : request.verb->on_read())
    work();
  return request;
}

}  // namespace dp2trace::app
