#include "unknown_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <string_view>

#include "base/near_miss.h"

namespace dp2trace::app {
namespace {

std::string UnknownOption(const Verb& verb, const std::string& word) {
  std::vector<std::string_view> names;
  for (const Argument* const option : verb.Options()) {
    if (option->name().starts_with("--")) names.push_back(option->name());
  }
  return fmt::format("unknown option {}{}", word, NearMissClause(word, names));
}

// What other programs call a verb of ours.
struct Synonym {
  std::string_view word;
  std::string_view verb;
};
constexpr Synonym kSynonyms[] = {
    {"show", "info"},       {"check", "lint"},
    {"validate", "lint"},   {"play", "replay"},
    {"render", "replay"},   {"run", "replay"},
    {"open", "view"},       {"pixel", "history"},
    {"bisect", "blame"},    {"cat", "dump"},
    {"print", "dump"},      {"minimize", "reduce"},
    {"cut", "trim"},        {"record", "import"},
    {"anonymize", "scrub"}, {"completions", "completion"},
};

std::string UnknownVerb(const Verb& verb, const std::string& word) {
  for (const Synonym& synonym : kSynonyms) {
    if (word == synonym.word && verb.FindVerb(synonym.verb) != nullptr)
      return fmt::format("unknown verb {}; did you mean {}?", word, synonym.verb);
  }
  std::vector<std::string_view> names;
  for (const auto& below : verb.verbs())
    names.push_back(below->path().back());
  if (verb.path().empty() && word.find_first_of("./\\") != std::string::npos) {
    return fmt::format("there is no file or verb {}; dp2trace info FILE shows what is in a trace",
                       word);
  }
  std::string clause = NearMissClause(word, names);
  if (clause.empty() && !verb.path().empty())
    clause = fmt::format("; those of {} are {}", verb.path().back(), fmt::join(names, ", "));
  return fmt::format("unknown verb {}{}", word, clause);
}

bool LooksLikeOption(const std::string& word) {
  return word.size() > 1 && word[0] == '-' &&
         std::isdigit(static_cast<unsigned char>(word[1])) == 0;
}

std::string FindUnknown(const Verb& program, const std::vector<std::string>& words,
                        bool looks_at_options) {
  const Verb* verb = &program;
  for (const std::string& word : words) {
    if (word == "--") break;
    if (LooksLikeOption(word)) {
      if (!looks_at_options) continue;
      // Short options may hold their value.
      const std::string name =
          word.starts_with("--") ? word.substr(0, word.find('=')) : word.substr(0, 2);
      if (verb->FindOption(name) == nullptr) return UnknownOption(*verb, name);
      continue;
    }
    if (verb->verbs().empty()) continue;
    const Verb* const below = verb->FindVerb(word);
    if (below == nullptr) return UnknownVerb(*verb, word);
    verb = below;
  }
  return {};
}

}  // namespace

std::string DescribeUnknown(const Verb& program, const std::vector<std::string>& words) {
  return FindUnknown(program, words, true);
}

std::string DescribeUnknownVerb(const Verb& program, const std::vector<std::string>& words) {
  return FindUnknown(program, words, false);
}

}  // namespace dp2trace::app
