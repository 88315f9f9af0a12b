#include "edit/patch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "base/file.h"
#include "base/plain_text.h"
#include "d3d/enums.h"
#include "d3d/states.h"
#include "image/png.h"
#include "json/append.h"
#include "json/commands.h"
#include "json/members.h"
#include "os/path.h"
#include "rules/rule.h"
#include "stream/stream.h"
#include "trim/state_token.h"

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

// What is set is set back afterwards. False where something else is there.
bool FindStates(Bytes tokens, std::vector<device::StateKey>& states) {
  stream::Decoder decoder(tokens, {}, nullptr);
  for (stream::Command command; decoder.Next(command);) {
    if (!trim::AppendKeys(command, states)) return false;
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

// A PNG in the patch itself.
Status ReadPicture(json::Document& document, json::Node& node, image::Picture& picture) {
  Bytes bytes;
  if (!document.values().Base64(node, bytes)) return document.status();
  Result<image::Picture> read = image::DecodePng(bytes);
  if (!read.ok()) return read.status();
  picture = std::move(*read);
  return OkStatus();
}

// What an element of a vertex is to be.
Status ReadValues(json::Document& document, json::Node& node, json::Node* values, json::Node* color,
                  Change& change) {
  if ((values == nullptr) == (color == nullptr)) {
    return document.Fail(node, Rule::kJson006,
                         "an \"element\" has \"values\", its numbers, or a \"color\"");
  }
  if (color != nullptr) {
    return document.values().Color(*color, change.color.emplace()) ? OkStatus() : document.status();
  }
  json::ElementIterator elements = document.Elements(*values);
  while (json::Node* const element = elements.Next()) {
    uint32_t bits = 0;
    if (!document.values().FloatBits(*element, bits)) return document.status();
    change.values.push_back(std::bit_cast<float>(bits));
  }
  return OkStatus();
}

Status ReadChange(json::Document& document, json::Node& node,
                  const std::optional<std::string>& folder, Change& change) {
  json::Members members(document, node);
  std::string draws;
  std::string file;
  bool drops = false;
  (void)(members.Find("draws", draws) && members.Find("drop", drops) &&
         members.Find("texture", change.handle) && members.Find("face", change.face) &&
         members.Find("level", change.level) && members.Find("file", file));
  json::Node* const set = members.FindNode("set", json::NodeType::kArray);
  json::Node* const insert = members.FindNode("insert", json::NodeType::kArray);
  json::Node* const png = members.FindNode("png", json::NodeType::kString);
  (void)(members.Find("vertex", change.vertex) && members.Find("element", change.element) &&
         members.Find("before", change.before));
  std::string shader;
  (void)(members.Find("shader", shader) && members.Find("instruction", change.instruction) &&
         members.Find("assembly", change.assembly));
  json::Node* const values = members.FindNode("values", json::NodeType::kArray);
  json::Node* const color = members.FindNode("color", json::NodeType::kString);
  if (!members.Finish()) return document.status();
  const bool has_element = !change.element.empty();
  const int kinds = (set != nullptr ? 1 : 0) + (insert != nullptr ? 1 : 0) + (drops ? 1 : 0) +
                    (file.empty() ? 0 : 1) + (png != nullptr ? 1 : 0) + (has_element ? 1 : 0) +
                    (change.before != 0 ? 1 : 0) + (shader.empty() ? 0 : 1);
  if (kinds != 1)
    return document.Fail(
        node, Rule::kJson006,
        "a change has one of \"set\", \"insert\", \"drop\", \"before\", \"element\", \"shader\", "
        "\"file\" and \"png\"");
  if (!file.empty() || png != nullptr) {
    change.kind = ChangeKind::kReplace;
    if (png == nullptr && !folder)
      return document.Fail(node, Rule::kJson006, "no file is read here: the picture is \"png\"");
    return png != nullptr ? ReadPicture(document, *png, change.picture)
                          : ReadPicture(*folder + file, change.picture);
  }
  std::string error;
  const std::optional<Selection> selection = Selection::Parse(draws, error);
  if (!selection || selection->needs_last())
    return document.Fail(node, Rule::kJson006,
                         "\"draws\": " + (selection ? "'last' is not known here" : error));
  change.draws = *selection;
  if (change.before != 0) {
    change.kind = ChangeKind::kMove;
    return OkStatus();
  }
  if (!shader.empty()) {
    change.kind = ChangeKind::kInstruction;
    change.is_pixel = shader == "pixel";
    if (change.is_pixel || shader == "vertex")
      return change.instruction != 0
                 ? OkStatus()
                 : document.Fail(node, Rule::kJson006, "\"instruction\" is a number from 1 on");
    return document.Fail(
        node, Rule::kJson006,
        fmt::format("\"shader\" is '{}', expected \"vertex\" or \"pixel\"", PlainStart(shader)));
  }
  if (has_element) {
    change.kind = ChangeKind::kVertex;
    return ReadValues(document, node, values, color, change);
  }
  change.kind = drops ? ChangeKind::kDrop : set != nullptr ? ChangeKind::kSet : ChangeKind::kInsert;
  if (drops) return OkStatus();
  if (!ReadTokens(document, set != nullptr ? *set : *insert, change.tokens))
    return document.status();
  if (set != nullptr && !FindStates(change.tokens, change.states))
    return document.Fail(
        node, Rule::kJson006,
        "\"set\" has states, transforms, materials and shader constants that there are; \"insert\" has any token");
  return OkStatus();
}

Status Misread(std::string_view expected) {
  return Failure(Rule::kJson006, fmt::format("not a change; expected {}", expected));
}

// Takes what stands in front of a character off.
std::optional<std::string_view> TakeUntil(std::string_view& text, char end) {
  const size_t at = text.find(end);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(at + 1);
  return taken;
}

bool IsWhole(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool IsNumber(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.+-eE") == std::string_view::npos &&
         text.find_first_of("0123456789") != std::string_view::npos;
}

// Truth is a number, names and colours are strings, several flags an array, "0:3" a pair.
void AppendValue(json::Builder& out, const d3d::StateInfo* state, std::string_view value) {
  const bool is_truth = state != nullptr && state->type == d3d::ValueType::kBool;
  if (is_truth && (value == "TRUE" || value == "FALSE")) return out.Number(value == "TRUE" ? 1 : 0);
  if (IsNumber(value)) return out.Raw(value);
  std::string_view high = value;
  const std::optional<std::string_view> low = TakeUntil(high, ':');
  if (low && IsWhole(*low) && IsWhole(high)) return out.Raw(fmt::format("[{},{}]", *low, high));
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

// Numbers between commas or spaces, and how many; also "[1 0 | 0 1]", as `state` prints a matrix. Nothing where something else is there.
std::optional<size_t> AppendNumbers(json::Builder& out, std::string_view text) {
  constexpr std::string_view kBetween = ", []|()";
  out.Raw('[');
  size_t count = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(kBetween), text.size());
    const std::string_view number = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (number.empty()) continue;
    if (!IsNumber(number)) return std::nullopt;
    out.Separate();
    out.Raw(number);
    ++count;
  }
  out.Raw(']');
  return count;
}

// "c4" of a vertex or a pixel shader.
bool AppendRegister(json::Builder& out, bool is_vertex, std::string_view name,
                    std::string_view value) {
  struct Kind {
    char letter;
    std::string_view suffix;
    size_t numbers;  // 1: not an array
  };
  constexpr std::array<Kind, 3> kKinds = {{{'c', "", 4}, {'i', "I", 4}, {'b', "B", 1}}};
  const auto kind = std::ranges::find(kKinds, name.empty() ? '\0' : name.front(), &Kind::letter);
  if (kind == kKinds.end()) return false;
  const std::string_view number = name.substr(1);
  if (!IsWhole(number)) return false;
  out.Raw(fmt::format(R"("op":"SET{}SHADERCONST{}","records":[{{"register":{},"count":1,"values":)",
                      is_vertex ? "VERTEX" : "PIXEL", kind->suffix, number));
  if (kind->numbers != 1) out.Raw('[');
  if (AppendNumbers(out, value) != kind->numbers) return false;
  if (kind->numbers != 1) out.Raw(']');
  out.Raw("}]");
  return true;
}

// "2.POSITION"
bool AppendVertex(json::Builder& out, std::string_view name, std::string_view value) {
  const std::optional<std::string_view> number = TakeUntil(name, '.');
  if (!number || !IsWhole(*number)) return false;
  out.Raw(fmt::format(",\"vertex\":{}", *number));
  json::AppendString(out, "element", name);
  if (value.starts_with('#') || value.starts_with("0x")) {
    json::AppendString(out, "color", value);
    return true;
  }
  out.Key("values");
  return AppendNumbers(out, value).has_value();
}

// "ps.3": false where it is another name.
bool AppendInstruction(json::Builder& out, std::string_view name, std::string_view value) {
  const std::optional<std::string_view> stage = TakeUntil(name, '.');
  if ((stage != "vs" && stage != "ps") || !IsWhole(name)) return false;
  json::AppendString(out, "shader", stage == "vs" ? "vertex" : "pixel");
  out.Raw(fmt::format(",\"instruction\":{}", name));
  json::AppendString(out, "assembly", value);
  return true;
}

// The members of the token that gives something of this name this value. "stage 0 COLOROP" is short "0.COLOROP".
bool AppendSet(json::Builder& out, std::string_view name, std::string_view value) {
  constexpr std::string_view kStage = "stage ";
  const bool is_stage = name.starts_with(kStage);
  std::string_view state = is_stage ? name.substr(kStage.size()) : name;
  const std::optional<std::string_view> stage = TakeUntil(state, is_stage ? ' ' : '.');
  if (is_stage && !stage) return false;
  if (stage == "vs" || stage == "ps") return AppendRegister(out, stage == "vs", state, value);
  if (stage && !IsNumber(*stage)) return false;
  if (!stage && FindValue(d3d::kTransformStateNames, name) != nullptr) {
    out.Raw(R"("op":"SETTRANSFORM","records":[{)");
    json::AppendString(out, "transform", name);
    out.Key("matrix");
    return AppendNumbers(out, value) == size_t{16} && (out.Raw("}]"), true);
  }
  out.Raw(stage ? fmt::format(R"("op":"TEXTURESTAGESTATE","records":[{{"stage":{})", *stage)
                : std::string(R"("op":"RENDERSTATE","records":[{)"));
  json::AppendString(out, stage ? "ts_state" : "render_state", state);
  out.Key(stage ? "value" : "state");
  AppendValue(out,
              stage ? d3d::FindTextureStageStateByName(state) : d3d::FindRenderStateByName(state),
              value);
  out.Raw("}]");
  return true;
}

}  // namespace

Status ReadPatch(const std::string& text, const std::optional<std::string>& folder, Patch& patch) {
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
  constexpr std::string_view kExpected =
      "draw=N,STATE=VALUE, draw=N,stage STAGE STATE=VALUE, draw=N,vs.cREGISTER=X,Y,Z,W (also ps; i, b), "
      "draw=N,TRANSFORM=16 numbers, draw=N,vertex.NUMBER.ELEMENT=X,Y,Z or draw=N,vs.NUMBER=INSTRUCTION (also ps)";
  std::string_view rest = word;
  const auto key = TakeUntil(rest, '=');
  const auto draws = TakeUntil(rest, ',');
  const auto name = TakeUntil(rest, '=');
  if (key != "draw" || !draws || !name) return Misread(kExpected);
  json::Builder out;
  out.Raw("{\"changes\":[{");
  json::AppendString(out, "draws", *draws);
  if (AppendInstruction(out, *name, rest)) {
    out.Raw("}]}");
    return std::move(out.string());
  }
  if (rest.empty()) return Misread(kExpected);
  if (name->starts_with("vertex.")) {
    if (!AppendVertex(out, name->substr(7), rest)) return Misread(kExpected);
    out.Raw("}]}");
    return std::move(out.string());
  }
  out.Raw(",\"set\":[{");
  if (!AppendSet(out, *name, rest)) return Misread(kExpected);
  out.Raw("}]}]}");
  return std::move(out.string());
}

Result<std::string> PatchOfDrop(std::string_view word) {
  std::string_view rest = word;
  const auto key = TakeUntil(rest, '=');
  if (key != "draw" || rest.empty()) return Misread("draw=N");
  json::Builder out;
  out.Raw("{\"changes\":[{");
  json::AppendString(out, "draws", rest);
  out.Raw(",\"drop\":true}]}");
  return std::move(out.string());
}

Result<std::string> PatchOfMove(std::string_view word) {
  constexpr std::string_view kExpected = "draw=N,before=M";
  std::string_view rest = word;
  const auto key = TakeUntil(rest, '=');
  const auto draw = TakeUntil(rest, ',');
  const auto before = TakeUntil(rest, '=');
  const auto is_draw = [](std::string_view text) { return IsWhole(text) && text != "0"; };
  if (key != "draw" || !draw || !before || *before != "before" || !is_draw(*draw) || !is_draw(rest))
    return Misread(kExpected);
  return fmt::format(R"({{"changes":[{{"draws":"{}","before":{}}}]}})", *draw, rest);
}

Result<std::string> PatchOfReplace(std::string_view word) {
  constexpr std::string_view kExpected =
      "texture=HANDLE,LEVEL,FILE.png or texture=HANDLE,LEVEL,FACE,FILE.png";
  std::string_view rest = word;
  const auto key = TakeUntil(rest, '=');
  const auto handle = TakeUntil(rest, ',');
  const auto level = TakeUntil(rest, ',');
  if (key != "texture" || !handle || !level || rest.empty()) return Misread(kExpected);
  std::string_view after = rest;
  const auto face = TakeUntil(after, ',');
  const bool has_face = face && IsNumber(*face);
  if (!IsNumber(*handle) || !IsNumber(*level)) return Misread(kExpected);
  json::Builder out;
  out.Raw(fmt::format("{{\"changes\":[{{\"texture\":{},\"level\":{},\"face\":{}", *handle, *level,
                      has_face ? *face : "0"));
  json::AppendString(out, "file", has_face ? after : rest);
  out.Raw("}]}");
  return std::move(out.string());
}

}  // namespace dp2trace::edit
