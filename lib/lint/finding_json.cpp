#include "lint/finding_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "rules/rule_info.h"
#include "text/finding.h"
#include "text/value.h"

namespace dp2trace::lint {

std::string HexOf(const std::vector<uint8_t>& bytes) {
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

void AppendListedFinding(std::string& out, const std::string& file, const ListedFinding& listed) {
  const auto text = [&out](std::string_view key, std::string_view value) {
    out += key;
    text::AppendQuoted(out, value);
  };
  text::AppendFindingMembers(out, file, listed.finding);
  text(",\"fault\":", Name(Info(listed.finding.rule).fault));
  const Excerpt& excerpt = listed.finding.excerpt;
  if (!excerpt.token.empty()) text(",\"token\":", excerpt.token);
  if (!excerpt.bytes.empty()) {
    out += fmt::format(",\"bytes\":{{\"offset\":{},\"hex\":\"{}\"}}", excerpt.offset,
                       HexOf(excerpt.bytes));
  }
  text(",\"fingerprint\":", listed.fingerprint);
  if (listed.accepted) text(",\"accepted\":", *listed.accepted);
}

}  // namespace dp2trace::lint
