// The verbs of the program as data: what they are called, what they take, and what runs them. The command line is read by it
// (command_line.h), help, manual pages and completions are written from it, so that none of them can lag.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exit_code.h"

namespace dp2trace::app {

// An option, a switch or a positional argument of a verb.
class Argument {
 public:
  // Takes one value; what is wrong with it otherwise, nothing where it is fine.
  using Take = std::function<std::string(const std::string& value)>;

  static constexpr uint32_t kAnyNumber = UINT32_MAX;

  // "-o,--output" or "TRACE".
  Argument(std::string_view names, std::string value, std::string description, Take take);

  // What the help calls the value: FILE.
  Argument& Value(std::string name);
  Argument& Required();
  // These words only. The help shows them, unless Value() names them afterwards.
  Argument& OneOf(std::vector<std::string> words);
  // What completions offer for a value that may be another, too: asked for when completions are written.
  Argument& Suggest(std::function<std::vector<std::string>()> words);
  // Whole numbers within these bounds only, which the help shows.
  Argument& Range(int least, int most);
  Argument& Range(uint64_t least, uint64_t most);
  // Numbers above 0 only.
  Argument& Positive();
  Argument& Check(Take check);
  // A value is a list with this between its items.
  Argument& Delimiter(char delimiter);
  // Of a list: one word each time that it is given; otherwise it takes all words up to the next option.
  Argument& OnePerMention();
  // A list of so many at most.
  Argument& AtMost(uint32_t count);
  // The others have to be there, too, or must not be.
  Argument& Needs(const Argument& other);
  Argument& Excludes(Argument& other);

  bool is_positional() const { return names_.empty(); }
  bool is_switch() const { return is_switch_; }
  bool is_list() const { return most_ != 1; }
  bool is_one_per_mention() const { return is_one_per_mention_; }
  bool is_required() const { return is_required_; }
  uint32_t most() const { return most_; }  // values
  // "-o", "--output"; none of a positional argument.
  const std::vector<std::string>& names() const { return names_; }
  // The longest name; of a positional argument what it is called.
  const std::string& name() const { return is_positional() ? positional_ : names_.back(); }
  // "FILE", "text|json"; empty for a switch.
  const std::string& value() const { return value_; }
  // What the command line has to keep to, for the end of a description: " (0 to 255; with --surface)"; may be empty.
  std::string Conditions() const;
  // What a switch stands for where it is not true: "false", or the value that it has when none is given.
  const std::string& switch_value() const { return switch_value_; }
  // --name=VALUE of a switch.
  bool takes_switch_value() const { return takes_switch_value_; }
  const std::string& description() const { return description_; }
  const std::vector<const Argument*>& needed() const { return needed_; }
  const std::vector<const Argument*>& excluded() const { return excluded_; }
  // The words that the value can be, or that completions offer; may be empty.
  std::vector<std::string> choices() const { return suggest_ ? suggest_() : choices_; }

  // How often the command line gives it.
  uint64_t count() const { return count_; }
  // Whether the word after a switch is its value.
  bool IsSwitchValue(const std::string& word) const;
  // What is wrong with a word of the command line, nothing where it was taken.
  std::string TakeWord(const std::string& word);

 private:
  friend class Verb;

  std::vector<std::string> names_;
  std::string positional_;
  std::string value_;
  std::string bounds_;
  std::string switch_value_;
  std::string description_;
  Take take_;
  std::vector<Take> checks_;
  std::vector<std::string> choices_;
  std::function<std::vector<std::string>()> suggest_;
  std::optional<char> delimiter_;
  std::vector<const Argument*> needed_;
  std::vector<const Argument*> excluded_;
  uint32_t most_ = 1;
  bool is_required_ = false;
  bool is_switch_ = false;
  bool takes_switch_value_ = false;
  bool is_one_per_mention_ = false;
  uint64_t count_ = 0;
};

class Verb {
 public:
  static constexpr const char* kHelp = "--help";  // every verb has it

  // No words: the program itself.
  Verb(std::vector<std::string> path, std::string description);
  Verb(const Verb&) = delete;
  Verb& operator=(const Verb&) = delete;

  // A verb below this one; a hidden one is in no help. References stay valid.
  Verb& AddVerb(const std::string& name, const std::string& description);
  Verb& Hide();
  // The headline of the help under which the verb stands.
  void SetGroup(std::string group) { group_ = std::move(group); }

  // An option ("-o,--output") or positional argument ("TRACE") into `target`, which outlives the verb; a list takes several words.
  Argument& Add(std::string_view names, std::string& target, const std::string& description);
  Argument& Add(std::string_view names, std::vector<std::string>& target,
                const std::string& description);
  Argument& Add(std::string_view names, uint8_t& target, const std::string& description);
  Argument& Add(std::string_view names, uint32_t& target, const std::string& description);
  Argument& Add(std::string_view names, uint64_t& target, const std::string& description);
  Argument& Add(std::string_view names, std::optional<uint64_t>& target,
                const std::string& description);
  Argument& Add(std::string_view names, double& target, const std::string& description);
  // `take` does something with the value.
  Argument& AddParsed(std::string_view names, Argument::Take take, const std::string& description);
  // Sets `target` to `value` where it is given.
  Argument& AddSwitch(std::string_view names, bool& target, const std::string& description,
                      bool value = true);
  // --name is --name=VALUE with this value; --name VALUE is meant where the next word passes the checks.
  Argument& AddSwitchWithValue(std::string_view names, const std::string& value,
                               std::string& target, const std::string& description);
  // Adds --config and --no-config: what the command line does not say comes from a file (configuration.h).
  void TakeConfiguration();
  // The last line of the help, and what stands before it.
  void SetExample(const std::string& example, const std::string& notes = {});
  // Called when the command line has been read without an error, before the verb runs.
  void OnRead(std::function<void()> work) { read_.push_back(std::move(work)); }
  void OnRun(std::function<ExitCode()> work) { run_ = std::move(work); }

  // "golden", "check"; empty for the program itself.
  const std::vector<std::string>& path() const { return path_; }
  // "dp2trace golden check", joined by `separator`.
  std::string FullName(const std::string& separator) const;
  const std::string& description() const { return description_; }
  const std::string& example() const { return example_; }
  const std::string& notes() const { return notes_; }
  bool is_hidden() const { return is_hidden_; }
  const std::string& group() const { return group_; }
  const std::vector<std::unique_ptr<Verb>>& verbs() const { return verbs_; }
  // With names, and without, in their order.
  std::vector<Argument*> Options() const;
  std::vector<Argument*> Positionals() const;
  // The option of this name; null where there is none.
  Argument* FindOption(std::string_view name) const;
  Verb* FindVerb(std::string_view name) const;
  // How often the command line gives the option.
  uint64_t count(std::string_view name) const;
  bool is_configurable() const { return is_configurable_; }
  // What --config names; may be empty.
  const std::string& configuration() const { return configuration_; }
  bool ignores_configuration() const { return ignores_configuration_; }
  // Whether it is one of the options that TakeConfiguration() adds, or --help: those that no file can set.
  static bool IsForCommandLineOnly(const Argument& option);
  // Null where only a verb below it can run.
  const std::function<ExitCode()>& run() const { return run_; }
  const std::vector<std::function<void()>>& on_read() const { return read_; }

 private:
  Argument& Append(std::string_view names, const char* value, const std::string& description,
                   Argument::Take take);

  std::vector<std::string> path_;
  std::string description_;
  std::string example_;
  std::string notes_;
  std::string group_;
  bool is_hidden_ = false;
  bool wants_help_ = false;
  bool is_configurable_ = false;
  bool ignores_configuration_ = false;
  std::string configuration_;
  std::vector<std::unique_ptr<Argument>> arguments_;
  std::vector<std::unique_ptr<Verb>> verbs_;
  std::vector<std::function<void()>> read_;
  std::function<ExitCode()> run_;
};

// The verb and all below it, depth first, without those that are hidden.
std::vector<const Verb*> ShownVerbs(const Verb& program);

}  // namespace dp2trace::app
