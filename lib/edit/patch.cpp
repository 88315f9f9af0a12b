#include "edit/patch.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/file.h"
#include "d3d/states.h"
#include "image/png.h"
#include "json/append.h"
#include "json/commands.h"
#include "json/members.h"
#include "opcode/opcode.h"
#include "os/path.h"
#include "rules/rule.h"
#include "stream/stream.h"

namespace dp2trace::edit {
namespace {

constexpr json::DocumentLimits kLimits = {.max_memory = uint64_t{64} << 20, .max_depth = 16};

// The tokens of a member.
bool ReadTokens(json::Document& document, json::Node& node, std::vector<uint8_t>& tokens) {
  std::vector<uint8_t> buffer;
  Bytes bytes;
  if (!json::ReadCommands(document.values(), node, json::StreamPlace{}, buffer, bytes))
    return false;
  tokens.assign(bytes.begin(), bytes.end());
  return true;
}

// The state of a record of such a token; nothing where there is none of that number or stage.
std::optional<device::StateKey> KeyOf(opcode::Op op, const uint8_t* record) {
  const auto word = [](const uint8_t* at) { return static_cast<uint32_t>(at[0] | at[1] << 8); };
  if (op == opcode::Op::kRenderState) {
    const uint32_t state = word(record) | word(record + 2) << 16;
    if (d3d::FindRenderState(state) == nullptr) return std::nullopt;
    return device::StateKey{device::StateKind::kRender, state};
  }
  const std::optional<uint32_t> slot = device::StageSlot(word(record));
  const uint32_t state = word(record + 2);
  if (!slot || d3d::FindTextureStageState(state) == nullptr) return std::nullopt;
  return device::StateKey{device::StateKind::kStage, device::StageIndex(*slot, state)};
}

// What is set and set back afterwards are states alone, by records of a number and a value. False where something else is there.
bool FindStates(Bytes tokens, std::vector<device::StateKey>& states) {
  constexpr size_t kHeader = 4, kRecord = 8;
  stream::Decoder decoder(tokens, {}, nullptr);
  for (stream::Command command; decoder.Next(command);) {
    const opcode::Op op = command.op->op;
    if (op != opcode::Op::kRenderState && op != opcode::Op::kTextureStageState) return false;
    for (size_t at = kHeader; at + kRecord <= command.bytes.size(); at += kRecord) {
      const std::optional<device::StateKey> key = KeyOf(op, command.bytes.data() + at);
      if (!key) return false;
      states.push_back(*key);
    }
  }
  return decoder.end() == stream::StreamEnd::kComplete;
}

Status ReadPicture(const std::string& path, image::Picture& picture) {
  Result<image::Picture> read = image::ReadPng(path);
  if (!read.ok()) {
    Diagnostic finding = read.status().diagnostic();
    if (finding.message.find(path) == std::string::npos)
      finding.message = path + ": " + finding.message;
    return Status(std::move(finding));
  }
  picture = std::move(*read);
  return OkStatus();
}

Status ReadChange(json::Document& document, json::Node& node, const std::string& folder,
                  Change& change) {
  json::Members members(document, node);
  std::string draws;
  std::string file;
  bool drops = false;
  (void)(members.Find("draws", draws) && members.Find("drop", drops) &&
         members.Find("texture", change.handle) && members.Find("face", change.face) &&
         members.Find("level", change.level) && members.Find("file", file));
  json::Node* const set = members.FindNode("set", json::NodeType::kArray);
  json::Node* const insert = members.FindNode("insert", json::NodeType::kArray);
  if (!members.Finish()) return document.status();
  const int kinds = (set != nullptr ? 1 : 0) + (insert != nullptr ? 1 : 0) + (drops ? 1 : 0) +
                    (file.empty() ? 0 : 1);
  if (kinds != 1)
    return document.Fail(node, Rule::kJson006,
                         "a change has one of \"set\", \"insert\", \"drop\" and \"file\"");
  if (!file.empty()) {
    change.kind = ChangeKind::kReplace;
    return ReadPicture(folder + file, change.picture);
  }
  std::string error;
  const std::optional<Selection> selection = Selection::Parse(draws, error);
  if (!selection || selection->needs_last())
    return document.Fail(node, Rule::kJson006,
                         "\"draws\": " + (selection ? "'last' is not known here" : error));
  change.draws = *selection;
  change.kind = drops ? ChangeKind::kDrop : set != nullptr ? ChangeKind::kSet : ChangeKind::kInsert;
  if (drops) return OkStatus();
  if (!ReadTokens(document, set != nullptr ? *set : *insert, change.tokens))
    return document.status();
  if (set != nullptr && !FindStates(change.tokens, change.states))
    return document.Fail(
        node, Rule::kJson006,
        "\"set\" has states that there are, in RENDERSTATE and TEXTURESTAGESTATE; \"insert\" has any token");
  return OkStatus();
}

Status Misread(std::string_view word, std::string_view expected) {
  return Failure(Rule::kJson006, fmt::format("'{}' is not a change; expected {}", word, expected));
}

// Takes what stands in front of a character off.
std::optional<std::string_view> TakeUntil(std::string_view& text, char end) {
  const size_t at = text.find(end);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(at + 1);
  return taken;
}

bool IsNumber(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.+-eE") == std::string_view::npos &&
         text.find_first_of("0123456789") != std::string_view::npos;
}

// Truth is a number, names and colours are strings, several flags an array.
void AppendValue(json::Text& out, const d3d::StateInfo* state, std::string_view value) {
  const bool is_truth = state != nullptr && state->type == d3d::ValueType::kBool;
  if (is_truth && (value == "TRUE" || value == "FALSE")) return out.Number(value == "TRUE" ? 1 : 0);
  if (IsNumber(value)) return out.Raw(value);
  if (value.find('|') == std::string_view::npos) return out.String(value);
  out.Raw('[');
  while (!value.empty()) {
    out.Separate();
    const std::string_view rest = value;
    const std::optional<std::string_view> flag = TakeUntil(value, '|');
    out.String(flag.value_or(rest));
    if (!flag) break;
  }
  out.Raw(']');
}

}  // namespace

Status ReadPatch(const std::string& text, const std::string& folder, Patch& patch) {
  json::Document document(kLimits);
  DP2TRACE_RETURN_IF_ERROR(document.Parse(text));
  json::Members members(document, document.root());
  json::Node* const changes = members.RequireNode("changes", json::NodeType::kArray);
  if (changes == nullptr || !members.Finish()) return document.status();
  json::ElementIterator elements = document.Elements(*changes);
  size_t number = 0;
  while (json::Node* const element = elements.Next()) {
    Change& change = patch.emplace_back();
    change.text = fmt::format("changes/{}", number++);
    if (!document.values().Expect(*element, json::NodeType::kObject)) return document.status();
    DP2TRACE_RETURN_IF_ERROR(ReadChange(document, *element, folder, change));
  }
  return OkStatus();
}

Status ReadPatchFile(const std::string& path, Patch& patch) {
  const Result<std::vector<uint8_t>> bytes = ReadWholeFile(path, kLimits.max_memory);
  if (!bytes.ok()) return bytes.status();
  return ReadPatch(std::string(bytes->begin(), bytes->end()), PrefixOf(path), patch);
}

Result<std::string> PatchOfSet(std::string_view word) {
  constexpr std::string_view kExpected = "draw=N,STATE=VALUE or draw=N,STAGE.STATE=VALUE";
  std::string_view rest = word;
  const auto key = TakeUntil(rest, '=');
  const auto draws = TakeUntil(rest, ',');
  const auto name = TakeUntil(rest, '=');
  if (key != "draw" || !draws || !name || rest.empty()) return Misread(word, kExpected);
  std::string_view state = *name;
  const std::optional<std::string_view> stage = TakeUntil(state, '.');
  if (stage && !IsNumber(*stage)) return Misread(word, kExpected);
  json::Text out;
  out.Raw("{\"changes\":[{");
  json::AppendString(out, "draws", *draws);
  out.Raw(fmt::format(R"(,"set":[{{"op":"{}","records":[{{)",
                      stage ? "TEXTURESTAGESTATE" : "RENDERSTATE"));
  if (stage) {
    out.Key("stage");
    out.Raw(*stage);
    json::AppendString(out, "ts_state", state);
    out.Key("value");
  } else {
    json::AppendString(out, "render_state", state);
    out.Key("state");
  }
  AppendValue(out,
              stage ? d3d::FindTextureStageStateByName(state) : d3d::FindRenderStateByName(state),
              rest);
  out.Raw("}]}]}]}");
  return std::move(out.string());
}

Result<std::string> PatchOfDrop(std::string_view word) {
  std::string_view rest = word;
  const auto key = TakeUntil(rest, '=');
  if (key != "draw" || rest.empty()) return Misread(word, "draw=N");
  json::Text out;
  out.Raw("{\"changes\":[{");
  json::AppendString(out, "draws", rest);
  out.Raw(",\"drop\":true}]}");
  return std::move(out.string());
}

Result<std::string> PatchOfReplace(std::string_view word) {
  constexpr std::string_view kExpected =
      "texture=HANDLE,LEVEL,FILE.png or texture=HANDLE,LEVEL,FACE,FILE.png";
  std::string_view rest = word;
  const auto key = TakeUntil(rest, '=');
  const auto handle = TakeUntil(rest, ',');
  const auto level = TakeUntil(rest, ',');
  if (key != "texture" || !handle || !level || rest.empty()) return Misread(word, kExpected);
  std::string_view after = rest;
  const auto face = TakeUntil(after, ',');
  const bool has_face = face && IsNumber(*face);
  if (!IsNumber(*handle) || !IsNumber(*level)) return Misread(word, kExpected);
  json::Text out;
  out.Raw(fmt::format("{{\"changes\":[{{\"texture\":{},\"level\":{},\"face\":{}", *handle, *level,
                      has_face ? *face : "0"));
  json::AppendString(out, "file", has_face ? after : rest);
  out.Raw("}]}");
  return std::move(out.string());
}

}  // namespace dp2trace::edit
