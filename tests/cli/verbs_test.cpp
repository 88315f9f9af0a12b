#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "command_line.h"
#include "help.h"
#include "program.h"

namespace dp2trace::app {
namespace {

// The program with its verbs and all that stands in their options.
class AllVerbs {
 public:
  AllVerbs() { AddVerbs(program_); }
  std::vector<const Verb*> shown() const { return ShownVerbs(program_); }

 private:
  Verb program_{{}, "all verbs"};
};

bool IsPlainName(const std::string& name) {
  return !name.empty() && std::ranges::all_of(name, [](char letter) {
    return std::isupper(static_cast<unsigned char>(letter)) != 0;
  });
}

// A verb of each kind of argument.
struct Toy {
  Toy() {
    Verb& draw = program.AddVerb("draw", "Draw");
    draw.Add("IN", inputs, "What is read").Required();
    draw.Add("OUT", output, "What is written").Required();
    draw.Add("-n,--number", number, "A number").Range(1, 20).Value("N");
    draw.Add("--tag", tags, "Tags").OnePerMention();
    draw.Add("--several", several, "Values").Delimiter(',');
    draw.Add("--pair", pair, "Two").AtMost(2);
    draw.Add("--idle", idle, "Seconds").Positive();
    Argument& first = draw.Add("--first", text, "One").OneOf({"red", "green"});
    draw.Add("--second", text, "Needs the first").Needs(first);
    Argument& third = draw.Add("--third", text, "Alone").Excludes(first);
    draw.AddSwitch("--quiet", is_loud, "No noise", false);
    draw.AddSwitchWithValue("--frames", "all", frames, "Frames").Check([](const std::string& word) {
      return std::string(word == "all" || word == "3" ? "" : "is not a frame");
    });
    draw.Add("--size", size, "Bytes");
    (void)third;
    draw.OnRun([] { return ExitCode::kOk; });
    program.AddVerb("group", "Has verbs").AddVerb("below", "One").OnRun([] {
      return ExitCode::kNothingToDo;
    });
  }
  // The problem of a command line.
  std::string Read(const std::vector<std::string>& words) {
    request = ReadCommandLine(program, words);
    return request.problem;
  }

  Verb program{{}, "A toy"};
  Request request;
  std::vector<std::string> inputs, tags, several, pair;
  std::string output, text, frames;
  uint64_t number = 0;
  uint32_t size = 0;
  double idle = 0;
  bool is_loud = true;
};

using Words = std::vector<std::string>;

TEST_CASE("Verbs: every verb's options can be built") {
  CHECK(AllVerbs().shown().size() > 25);
}

TEST_CASE("Verbs: names of positional arguments are only capital letters") {
  const AllVerbs all;
  for (const Verb* const verb : all.shown()) {
    CAPTURE(verb->FullName(" "));
    for (const Argument* const argument : verb->Positionals()) {
      CAPTURE(argument->name());
      CHECK(IsPlainName(argument->name()));
    }
  }
}

TEST_CASE("Verbs: every verb, option and argument is described") {
  const AllVerbs all;
  for (const Verb* const verb : all.shown()) {
    CAPTURE(verb->FullName(" "));
    CHECK_FALSE(verb->description().empty());
    for (const Argument* const option : verb->Options()) {
      CAPTURE(option->name());
      CHECK_FALSE(option->description().empty());
    }
    for (const Argument* const argument : verb->Positionals()) {
      CAPTURE(argument->name());
      CHECK_FALSE(argument->description().empty());
    }
  }
}

TEST_CASE("Command line: values go to their targets wherever the options stand") {
  Toy toy;
  CHECK(toy.Read({"draw", "a", "-n", "0x10", "b", "--several", "x,y", "z", "--tag", "1", "c",
                  "--tag=2", "--idle", "0.5", "--quiet", "--frames=3"}) == "");
  CHECK(toy.request.verb->FullName(" ") == "dp2trace draw");
  CHECK(toy.inputs == Words{"a", "b"});
  CHECK(toy.output == "c");
  CHECK(toy.number == 16);
  CHECK(toy.several == Words{"x", "y", "z"});
  CHECK(toy.tags == Words{"1", "2"});
  CHECK(toy.idle == 0.5);
  CHECK_FALSE(toy.is_loud);
  CHECK(toy.frames == "3");
}

TEST_CASE(
    "Command line: a switch with a value has one of its own, and words after -- are no options") {
  Toy toy;
  CHECK(toy.Read({"draw", "--frames", "a", "--", "-b"}) == "");
  CHECK(toy.frames == "all");
  CHECK(toy.inputs == Words{"a"});
  CHECK(toy.output == "-b");
}

TEST_CASE(
    "Command line: the word after a switch that may have a value is taken where it can be one") {
  Toy toy;
  CHECK(toy.Read({"draw", "a", "--frames", "3", "c"}) == "");
  CHECK(toy.frames == "3");
  Toy other;
  CHECK(other.Read({"draw", "--frames", "a", "c"}) == "");
  CHECK(other.frames == "all");
  CHECK(other.inputs == Words{"a"});
  CHECK(Toy().Read({"draw", "a", "c", "--frames=4"}) == "--frames: is not a frame");
}

TEST_CASE("Command line: the words of a problem are the same with every version of CLI11") {
  const std::vector<std::pair<Words, std::string>> cases = {
      {{"draw", "a"}, "OUT is required"},
      {{"draw"}, "IN is required"},
      {{"draw", "a", "b", "-n"}, "--number needs a value: N"},
      {{"draw", "a", "b", "-n", "21"}, "--number: '21' is not a whole number from 1 to 20"},
      {{"draw", "a", "b", "-n", "-1"}, "--number: '-1' is not a whole number from 1 to 20"},
      {{"draw", "a", "b", "--size", "4294967296"},
       "--size: '4294967296' is not a whole number from 0 to 4294967295"},
      {{"draw", "a", "b", "--size", "1e3"},
       "--size: '1e3' is not a whole number from 0 to 4294967295"},
      {{"draw", "a", "b", "--size", "1", "--size", "2"}, "--size is given more than once"},
      {{"draw", "a", "b", "--pair=1", "--pair=2", "--pair=3"},
       "--pair takes 2 values at most, 3 are given"},
      {{"draw", "a", "b", "--idle", "0"}, "--idle: '0' is not a number above 0"},
      {{"draw", "a", "b", "--idle", "nan"}, "--idle: 'nan' is not a number above 0"},
      {{"draw", "a", "b", "--first", "grene"},
       "--first: 'grene' is not one of red, green; did you mean green?"},
      {{"draw", "a", "b", "--second", "x"}, "--second needs --first"},
      {{"draw", "a", "b", "--third", "x", "--first", "red"},
       "--first and --third exclude each other"},
      {{"draw", "a", "b", "--quiet=3"}, "--quiet takes no value"},
      {{"draw", "a", "b", "--quite"}, "unknown option --quite; did you mean --quiet?"},
      {{"drow"}, "unknown verb drow; did you mean draw?"},
      {{"group", "below", "x"}, "unexpected argument x"},
  };
  for (const auto& [given, problem] : cases) {
    Toy toy;
    const auto& words = given;  // Clang 14 captures no structured bindings
    CAPTURE(words);
    CHECK(toy.Read(words) == problem);
  }
}

TEST_CASE("Command line: help is of the last verb that is named, whatever else is wrong") {
  Toy toy;
  CHECK(toy.Read({"group", "below", "--help"}) == "");
  CHECK(toy.request.wants_help);
  CHECK(toy.request.verb->FullName(" ") == "dp2trace group below");
  CHECK(toy.Read({"draw", "-h", "--quite"}) == "");
  CHECK(toy.request.wants_help);
  CHECK(toy.Read({"drow", "--help"}) == "unknown verb drow; did you mean draw?");
  CHECK(toy.Read({"group", "belw", "-h"}) == "unknown verb belw; did you mean below?");
  CHECK(toy.Read({"nosuch", "-h"}) == "unknown verb nosuch");
  CHECK(toy.Read({"draw.json"}).starts_with("there is no file or verb draw.json; "));
}

TEST_CASE("Help: usage has the positional arguments in their order") {
  Toy toy;
  const std::string help = HelpText(*toy.program.FindVerb("draw"), HelpWidth(0));
  CHECK(help.starts_with("Draw\nUsage: dp2trace draw IN... OUT [OPTIONS]\n"));
}

TEST_CASE("Help: each option of a long help has a group, and each row of the table an option") {
  const AllVerbs all;
  std::set<std::string_view> used;
  for (const Verb* const verb : all.shown()) {
    CAPTURE(verb->FullName(" "));
    size_t count = 0;
    for (const OptionGroup& group : OptionGroupsOf(*verb))
      count += group.options.size();
    CHECK(count == verb->Options().size());
    if (verb->Options().size() <= kMostUngrouped) continue;
    for (const Argument* const option : verb->Options())
      used.insert(option->name());
  }
  for (const OptionRow& row : OptionRows()) {
    CAPTURE(row.option);
    CHECK(used.contains(row.option));
  }
  CHECK(used.size() == OptionRows().size());
}

TEST_CASE("Help: no line of words is wider than the terminal, within bounds") {
  CHECK(HelpWidth(0) == 100);
  CHECK(HelpWidth(20) == 60);
  CHECK(HelpWidth(72) == 72);
  CHECK(HelpWidth(400) == 120);
  Verb verb(
      {"draw"},
      "Draws something that takes many words to say, so that the line has to be broken twice or more");
  std::string target;
  verb.Add("--option", target,
           "Takes many words to describe as well, more than one line of sixty columns has");
  const std::string help = HelpText(verb, 60);
  size_t widest = 0;
  for (size_t begin = 0; begin < help.size();) {
    const size_t end = std::min(help.find('\n', begin), help.size());
    widest = std::max(widest, end - begin);
    begin = end + 1;
  }
  CHECK(widest <= 60);
  CHECK(widest > 50);
}

}  // namespace
}  // namespace dp2trace::app
