// Shaders written as assembly, and what the checker finds in them.
#pragma once

#include <doctest/doctest.h>

#include <string_view>
#include <vector>

#include "rules/rule_info.h"
#include "shader/checker.h"
#include "shader/decoder.h"
#include "support/shader_assembler.h"

namespace dp2trace::shader {

using testing::AssembleShader;
using testing::AssembleWords;
using testing::BytesOf;

inline std::vector<std::string_view> IdsOf(const DiagnosticList& findings) {
  std::vector<std::string_view> ids;
  for (const Diagnostic& finding : findings.items())
    ids.push_back(Info(finding.rule).id);
  return ids;
}

inline DiagnosticList FindingsOfWords(const std::vector<uint32_t>& words) {
  DiagnosticList findings;
  Check(Decode(BytesOf(words), findings), findings);
  return findings;
}

inline DiagnosticList FindingsOf(std::string_view text) {
  return FindingsOfWords(AssembleWords(text));
}

inline Program ProgramOf(std::string_view text) {
  DiagnosticList findings;
  return Decode(AssembleShader(text), findings);
}

// Exactly one finding, of this rule.
inline void CheckFires(std::string_view id, std::string_view text) {
  CAPTURE(text);
  const std::vector<std::string_view> ids = IdsOf(FindingsOf(text));
  CHECK(ids == std::vector<std::string_view>{id});
}

inline void CheckClean(std::string_view text) {
  CAPTURE(text);
  const DiagnosticList findings = FindingsOf(text);
  CHECK(IdsOf(findings).empty());
  for (const Diagnostic& finding : findings.items())
    MESSAGE(finding.message);
}

}  // namespace dp2trace::shader
