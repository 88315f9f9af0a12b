// Options that several verbs have: the same flag means the same everywhere.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/rule.h"
#include "base/selection.h"
#include "text/list.h"

namespace dp2trace::app {

inline constexpr uint64_t kDefaultMaxMemory = uint64_t{1} << 30;

// Accepts these words only; the help shows them as the type of the option.
CLI::Validator OneOf(std::vector<std::string> words);
// --NAME SIZE: bytes, or with a suffix K, M, G (1024 each).
void AddSize(CLI::App& command, const std::string& name, uint64_t& bytes, const std::string& what);
void AddSize(CLI::App& command, const std::string& name, std::optional<uint64_t>& bytes,
             const std::string& what);
// --max-memory SIZE
void AddMaxMemory(CLI::App& command, uint64_t& bytes);
// --NAME SEL
CLI::Option* AddSelection(CLI::App& command, const std::string& name, Selection& selection,
                          const std::string& what);
// --fail-on error|warning|advice|never; none = never.
void AddFailOn(CLI::App& command, std::optional<Severity>& severity);
// --format text|json into `json`.
void AddFormat(CLI::App& command, bool& json);
// --format text|json|markdown
void AddTableFormat(CLI::App& command, text::ListFormat& format);
// --today YYYY-MM-DD: the day that entries with an expiry count by; the clock's (UTC) unless it is given.
void AddToday(CLI::App& command, std::string& day);
// The last line of the verb's help, and what stands before it.
void AddExample(CLI::App& command, const std::string& example, const std::string& notes = {});

}  // namespace dp2trace::app
