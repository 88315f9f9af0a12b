#include "configuration.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "command_line.h"

namespace dp2trace::app {
namespace {

using Words = std::vector<std::string>;

// A verb of each kind of option, and one below a group.
struct ConfiguredToy {
  ConfiguredToy() {
    Verb& draw = program.AddVerb("draw", "Draw");
    draw.Add("-n,--number", number, "A number").Range(1, 20).Value("N");
    draw.Add("--tag", tags, "Tags").OnePerMention();
    draw.Add("--store", store, "A folder").Value("DIR");
    draw.Add("--output", outputs, "Files").Value("FORMAT=PATH").OnePerMention();
    Argument& red = draw.AddSwitch("--red", is_red, "Red");
    draw.AddSwitch("--green", is_green, "Green").Excludes(red);
    draw.AddSwitchWithValue("--frames", "all", frames, "Frames");
    draw.TakeConfiguration();
    draw.OnRun([] { return ExitCode::kOk; });
    Verb& check = program.AddVerb("golden", "Has verbs").AddVerb("check", "One");
    check.Add("--store", checked_store, "A folder").Value("DIR");
    check.TakeConfiguration();
    program.AddVerb("plain", "Takes none").Add("--size", frames, "A size");
  }
  // What is wrong with a file of this text.
  std::string Parse(std::string_view text) {
    const std::string problem = ParseConfiguration(text, "x/c.toml", configuration);
    return problem.empty() ? CheckConfiguration(program, configuration) : problem;
  }
  Words WordsFor(const std::string& key) {
    for (const SettingInForce& held : SettingsOf(*program.FindVerb("draw"), configuration)) {
      if (held.option->name() == key) return WordsOf(*held.option, *held.setting, "x/c.toml");
    }
    return {"not set"};
  }

  Verb program{{}, "A toy"};
  Configuration configuration;
  std::vector<std::string> tags, outputs;
  std::string store, checked_store, frames;
  uint64_t number = 0;
  bool is_red = false, is_green = false;
};

TEST_CASE("Configuration: values become the words of a command line") {
  ConfiguredToy toy;
  CHECK(
      toy.Parse(
          "[draw]\nnumber = 3\ntag = [\"a\", \"b\"]\nred = true\ngreen = false\nframes = true\n") ==
      "");
  CHECK(toy.WordsFor("--number") == Words{"3"});
  CHECK(toy.WordsFor("--tag") == Words{"a", "b"});
  CHECK(toy.WordsFor("--red").size() == 1);
  CHECK(toy.WordsFor("--green").empty());
  CHECK(toy.WordsFor("--frames") == Words{"all"});
  CHECK(toy.WordsFor("--store") == Words{"not set"});
  CHECK(toy.Parse("[draw]\ntag = 2026-01-02\nframes = \"1-3\"\n") == "");
  CHECK(toy.WordsFor("--tag") == Words{"2026-01-02"});
  CHECK(toy.WordsFor("--frames") == Words{"1-3"});
}

TEST_CASE("Configuration: names of files count from the folder of the file") {
  ConfiguredToy toy;
  CHECK(
      toy.Parse(
          "[draw]\nstore = \"../pictures\"\noutput = [\"json=a.json\", \"text=-\"]\ntag = \"a/b\"\n") ==
      "");
  CHECK(toy.WordsFor("--store") == Words{"x/../pictures"});
  CHECK(toy.WordsFor("--output") == Words{"json=x/a.json", "text=-"});
  CHECK(toy.WordsFor("--tag") == Words{"a/b"});
  CHECK(toy.Parse("[draw]\nstore = \"/pictures\"\n") == "");
  CHECK(toy.WordsFor("--store") == Words{"/pictures"});
}

TEST_CASE("Configuration: a table of the verb goes before those above it") {
  ConfiguredToy toy;
  const Verb& check = *toy.program.FindVerb("golden")->FindVerb("check");
  CHECK(toy.Parse("[golden.check]\nstore = \"near\"\n[golden]\nstore = \"far\"\n") == "");
  const std::vector<SettingInForce> settings = SettingsOf(check, toy.configuration);
  REQUIRE(settings.size() == 1);
  CHECK(settings[0].setting->values == Words{"near"});
  CHECK(settings[0].setting->line == 2);
}

TEST_CASE("Configuration: what is wrong is said with file and line") {
  ConfiguredToy toy;
  CHECK(toy.Parse("[draw\n").starts_with("x/c.toml:1:6: is not TOML: "));
  CHECK(toy.Parse("[draw]\nnumber = 1\nnumbr = 2\n") ==
        "x/c.toml:3: [draw] has no option --numbr; did you mean number?");
  CHECK(toy.Parse("number = 1\n") ==
        "x/c.toml:1: number is outside of any table; expected below a verb, such as [lint]");
  CHECK(toy.Parse("[plain]\nsize = 1\n") ==
        "x/c.toml:2: [plain] is not a verb that takes a configuration; those are draw, golden");
  CHECK(toy.Parse("[drow]\nsize = 1\n") ==
        "x/c.toml:2: [drow] is not a verb that takes a configuration; those are draw, golden");
  CHECK(toy.Parse("[draw]\nred = 1\n") == "x/c.toml:2: red: expected true or false");
  CHECK(toy.Parse("[draw]\nnumber = [1, 2]\n") == "x/c.toml:2: number: expected one value, not 2");
  CHECK(toy.Parse("[draw]\ntag = [[1]]\n") ==
        "x/c.toml:2: tag: expected a text, a number, true, false, a date or a list of those");
  CHECK(toy.Parse("[draw]\nconfig = \"d\"\n")
            .starts_with("x/c.toml:2: [draw] has no option --config"));
  CHECK(toy.Parse("[draw]\nhelp = true\n").starts_with("x/c.toml:2: [draw] has no option --help"));
}

}  // namespace
}  // namespace dp2trace::app
