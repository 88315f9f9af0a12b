// What the page shows of a chosen item: states, textures, vertices, shaders, tokens, findings.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "history/operation.h"
#include "inspect/item.h"
#include "inspect/resource_writer.h"
#include "inspect/state_trail.h"
#include "state/mesh.h"
#include "state/state_writes.h"
#include "stream/stream.h"

namespace dp2trace::inspect {

// What an item lists at most; the page says how many there are more.
inline constexpr size_t kListedTokens = 500;
inline constexpr size_t kListedFindings = 200;

// A finding as an object of the page.
void AppendFinding(json::Builder& out, const Diagnostic& finding);
// {"text": ..., "history": ...} of a pixel; of one that is not there the sentence that says so.
std::string HistoryText(const history::History& history);
// {"title": ..., "text": ...} of a rule: what `explain` says.
std::string RuleText(Rule rule);

class Details {
 public:
  explicit Details(DataSink& data) : data_(&data), resources_(data) {}

  // Another frame begins.
  void StartFrame();
  // A token, or an event without tokens, between the last item and the next, or the next itself.
  void AddToken(uint64_t event, const stream::Command& command,
                const stream::Environment& environment, uint32_t runtime_version);
  void AddEvent(uint64_t event, std::string_view name);
  // In front of the draw that the next item is; `pack` is the number of its file. Adds to the item what the list says of them.
  Status AddDraw(const device::Context& context, state::StateWrites& writes, uint64_t pack,
                 Item& item);
  void AddMesh(const state::Mesh& mesh);
  // Whether another mesh of the item is listed.
  bool WantsMesh() const;
  void AddFindings(std::span<const Diagnostic> findings, Item& item);
  // Findings that nobody kept.
  void AddUnlisted(uint64_t count) { finding_count_ += count; }
  // The object of the item; nothing is left for the next.
  std::string Take();
  // The texts of the rules of all findings.
  Status WriteRules();

 private:
  Status AppendTextures(const device::Context& context, Item& item);
  void AppendShaders(const device::Context& context);

  DataSink* data_;
  ResourceWriter resources_;
  StateTrail trail_;
  std::optional<uint64_t> last_pack_;          // of the last draw of the frame
  json::Builder states_, textures_, shaders_;  // of a draw
  json::Builder meshes_, tokens_, findings_;   // elements
  uint64_t mesh_count_ = 0;
  uint64_t token_count_ = 0, finding_count_ = 0;
  std::set<Rule> rules_;
};

}  // namespace dp2trace::inspect
