// Completions of bash, zsh, fish and PowerShell.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "manual.h"

namespace dp2trace::app {
namespace {

std::string Joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

std::string Path(const Verb& verb) {
  return Joined(verb.path());
}

// The verbs below it that are shown.
std::vector<std::string> VerbNames(const Verb& verb) {
  std::vector<std::string> names;
  for (const auto& below : verb.verbs()) {
    if (!below->is_hidden()) names.push_back(below->path().back());
  }
  return names;
}

std::vector<std::string> Words(const Verb& verb) {
  std::vector<std::string> words = VerbNames(verb);
  const auto add = [&words](const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
  };
  for (const Argument* const option : verb.Options())
    add(option->names());
  for (const Argument* const argument : verb.Positionals())
    add(argument->choices());
  return words;
}

// Within single quotes of a shell.
std::string Quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// A description inside of the brackets of _arguments.
std::string Bracketed(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

constexpr const char* kBashHead = R"(# bash completion of dp2trace, written from its options
_dp2trace() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} verb="" words="" i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "${verb:+$verb }${COMP_WORDS[i]}" in
)";
constexpr const char* kBashTail = R"(  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  # Files, where a verb is there that takes some.
  case "$verb:$current" in
    :* | *:-*) ;;
    *) [ ${#COMPREPLY[@]} -ne 0 ] || COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}
complete -o filenames -F _dp2trace dp2trace
)";

// 'a', 'b'
std::string PowerShellList(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words)
    out += (out.empty() ? "'" : ", '") + word + "'";
  return out;
}

}  // namespace

std::string BashCompletion(const std::vector<const Verb*>& verbs) {
  std::string out = kBashHead;
  for (const Verb* const verb : verbs) {
    if (!verb->path().empty()) out += fmt::format("      {0}) verb={0} ;;\n", Quoted(Path(*verb)));
  }
  out += "    esac\n  done\n  case \"$verb:$previous\" in\n";
  for (const Verb* const verb : verbs) {
    for (const Argument* const option : verb->Options()) {
      const std::vector<std::string> choices = option->choices();
      if (choices.empty()) continue;
      for (const std::string& name : option->names()) {
        out += fmt::format("    {}) COMPREPLY=($(compgen -W {} -- \"$current\")); return ;;\n",
                           Quoted(Path(*verb) + ":" + name), Quoted(Joined(choices)));
      }
    }
  }
  out += "  esac\n  case \"$verb\" in\n";
  for (const Verb* const verb : verbs)
    out += fmt::format("    {}) words={} ;;\n", Quoted(Path(*verb)), Quoted(Joined(Words(*verb))));
  return out + kBashTail;
}

std::string ZshCompletion(const std::vector<const Verb*>& verbs) {
  std::string out = "#compdef dp2trace\n# zsh completion of dp2trace, written from its options\n";
  for (const Verb* const verb : verbs) {
    const std::string function = "_" + verb->FullName("_");
    if (!verb->verbs().empty()) {
      // A verb with verbs: the first word chooses, the rest is theirs.
      out +=
          fmt::format("{}() {{\n  if (( CURRENT == 2 )); then\n    local -a verbs=(\n", function);
      for (const auto& below : verb->verbs()) {
        if (below->is_hidden()) continue;
        out += fmt::format("      {}\n",
                           Quoted(below->path().back() + ":" + Bracketed(below->description())));
      }
      out += fmt::format(
          "    )\n    _describe verb verbs\n  else\n    shift words\n    (( CURRENT-- ))\n"
          "    (( $+functions[{0}_$words[1]] )) && {0}_$words[1]\n  fi\n}}\n",
          function);
      continue;
    }
    out += fmt::format("{}() {{\n  _arguments", function);
    for (const Argument* const option : verb->Options()) {
      for (const std::string& name : option->names()) {
        std::string text = name + "[" + Bracketed(option->description()) + "]";
        const std::vector<std::string> choices = option->choices();
        if (!choices.empty()) {
          text += ":value:(" + Joined(choices) + ")";
        } else if (!option->value().empty()) {
          text += ":" + Bracketed(option->value()) + ":_files";
        }
        out += " \\\n    " + Quoted(text);
      }
    }
    for (const Argument* const argument : verb->Positionals()) {
      const std::vector<std::string> choices = argument->choices();
      out += " \\\n    " +
             Quoted(choices.empty() ? "*:file:_files" : "1:value:(" + Joined(choices) + ")");
    }
    out += "\n}\n";
  }
  return out + "_dp2trace \"$@\"\n";
}

std::string FishCompletion(const std::vector<const Verb*>& verbs) {
  std::string out = "# fish completion of dp2trace, written from its options\n";
  for (const Verb* const verb : verbs) {
    std::string condition;
    for (const std::string& word : verb->path())
      condition += (condition.empty() ? "" : "; and ") + ("__fish_seen_subcommand_from " + word);
    for (const auto& below : verb->verbs()) {
      if (below->is_hidden()) continue;
      const std::string is_first = condition.empty()
                                       ? "__fish_use_subcommand"
                                       : fmt::format("{}; and not __fish_seen_subcommand_from {}",
                                                     condition, Joined(VerbNames(*verb)));
      out += fmt::format("complete -c dp2trace -n {} -a {} -d {}\n", Quoted(is_first),
                         below->path().back(), Quoted(below->description()));
    }
    for (const Argument* const option : verb->Options()) {
      out += "complete -c dp2trace";
      if (!condition.empty()) out += " -n " + Quoted(condition);
      for (const std::string& name : option->names())
        out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      const std::vector<std::string> choices = option->choices();
      if (!choices.empty()) {
        out += " -x -a " + Quoted(Joined(choices));
      } else if (!option->value().empty()) {
        out += " -r";
      }
      out += " -d " + Quoted(option->description()) + "\n";
    }
    for (const Argument* const argument : verb->Positionals()) {
      const std::vector<std::string> choices = argument->choices();
      if (!choices.empty())
        out += fmt::format("complete -c dp2trace -n {} -f -a {}\n", Quoted(condition),
                           Quoted(Joined(choices)));
    }
  }
  return out;
}

std::string PowerShellCompletion(const std::vector<const Verb*>& verbs) {
  std::string out =
      "# PowerShell completion of dp2trace, written from its options\n"
      "Register-ArgumentCompleter -Native -CommandName dp2trace -ScriptBlock {\n"
      "  param($word, $line, $position)\n"
      "  $words = @{\n";
  for (const Verb* const verb : verbs) {
    out += "    '" + Path(*verb) + "' = @(";
    out += PowerShellList(Words(*verb)) + ")\n";
  }
  out += "  }\n  $values = @{\n";
  for (const Verb* const verb : verbs) {
    for (const Argument* const option : verb->Options()) {
      const std::vector<std::string> choices = option->choices();
      if (choices.empty()) continue;
      for (const std::string& name : option->names())
        out += "    '" + Path(*verb) + " " + name + "' = @(" + PowerShellList(choices) + ")\n";
    }
  }
  return out +
         "  }\n"
         "  $verb = ''\n"
         "  $previous = ''\n"
         "  foreach ($element in ($line.CommandElements | Select-Object -Skip 1)) {\n"
         "    $longer = \"$verb $element\".Trim()\n"
         "    if ($words.ContainsKey($longer)) { $verb = $longer }\n"
         "    if ($element.Extent.EndOffset -lt $position) { $previous = \"$element\" }\n"
         "  }\n"
         "  $found = if ($values.ContainsKey(\"$verb $previous\")) { $values[\"$verb $previous\"] } else { $words[$verb] }\n"
         "  $found | Where-Object { $_ -like \"$word*\" } | ForEach-Object {\n"
         "    [System.Management.Automation.CompletionResult]::new($_)\n"
         "  }\n"
         "}\n";
}

}  // namespace dp2trace::app
