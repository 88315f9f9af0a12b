// The parts that several files of golden share, as JSON: pictures, counts of findings, findings.
#pragma once

#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "golden/golden.h"
#include "json/builder.h"
#include "json/members.h"

namespace dp2trace::golden {

// "kind", "sequence", "slice", "stencil": which picture.
void AppendKey(json::Builder& out, const ImageKey& key);
// "format", "hash", "raw_hash", each name after the prefix.
void AppendPixels(json::Builder& out, const GoldenImage& image, std::string_view prefix = {});
// "name":{"RULE":COUNT,...}; nothing where there are no findings.
void AppendCounts(json::Builder& out, std::string_view name, const FindingCounts& counts);
// "name":[{...},...] with the members that every JSON output of the program gives a finding; nothing for an empty list.
void AppendFindings(json::Builder& out, std::string_view name,
                    const std::vector<Diagnostic>& findings);

// Their counterparts; `object` is where findings stand. False after a finding in the document.
bool ReadKey(json::Document& document, const json::Node& object, json::Members& members,
             ImageKey& key);
bool ReadPixels(json::Document& document, const json::Node& object, json::Members& members,
                GoldenImage& image, std::string_view prefix = {});
bool ReadCounts(json::Document& document, json::Members& members, std::string_view name,
                FindingCounts& counts);
bool ReadFindings(json::Document& document, json::Members& members, std::string_view name,
                  std::vector<Diagnostic>& findings);

// A status by name; a finding where it is none.
bool ReadStatus(json::Document& document, const json::Node& object, std::string_view name,
                GoldenStatus& status);

}  // namespace dp2trace::golden
