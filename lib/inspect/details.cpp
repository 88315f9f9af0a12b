#include "inspect/details.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "d3d/states.h"
#include "explain/explain.h"
#include "history/report.h"
#include "inspect/vertex_table.h"
#include "json/append.h"
#include "rules/rule_info.h"
#include "shader/disassembler.h"
#include "state/state_snapshot.h"
#include "state/state_values.h"
#include "text/command.h"
#include "text/finding.h"

namespace dp2trace::inspect {
namespace {

constexpr size_t kShownBytes = 256;  // of a token, as hex
constexpr size_t kShownText = 4000;  // characters of a token's line
constexpr size_t kShownMeshes = 64;  // of the records of a token

// At most so many bytes of a text, cut between characters.
std::string_view Cut(std::string_view text, size_t size) {
  if (text.size() <= size) return text;
  while (size > 0 && (static_cast<uint8_t>(text[size]) & 0xC0U) == 0x80U)
    --size;
  return text.substr(0, size);
}

void AppendSampler(json::Builder& out, const device::Context& context, uint32_t slot) {
  out.Key("sampler");
  out.Raw('[');
  for (const d3d::StateInfo& info : d3d::AllTextureStageStates()) {
    const bool is_texture = info.code == d3d::Value(d3d::TextureStageState::TextureMap);
    if (info.state_class != d3d::StateClass::kSampler || is_texture) continue;
    out.Separate();
    out.Raw('[');
    out.Name(info.name);
    out.Separate();
    out.String(state::ValueText(context, context.state,
                                {device::StateKind::kStage, device::StageIndex(slot, info.code)}));
    out.Raw(']');
  }
  out.Raw(']');
}

// Registers that an instruction may read.
std::set<uint32_t> ConstantsOf(const shader::Program& program, size_t count) {
  std::set<uint32_t> used;
  for (const shader::Instruction& instruction : program.instructions) {
    for (size_t i = 0; i < instruction.source_count; ++i) {
      const shader::Source& source = instruction.sources[i];
      if (source.type != shader::RegisterType::kConst) continue;
      if (!source.is_relative) used.insert(source.number);
      // An address may reach any of them: those after the number are listed.
      for (uint32_t c = source.number; source.is_relative && c < count; ++c)
        used.insert(c);
    }
  }
  return used;
}

void AppendConstants(json::Builder& out, const shader::Program& program,
                     const device::ShaderConstants& constants) {
  out.Key("constants");
  out.Raw('[');
  for (const uint32_t number : ConstantsOf(program, constants.floats.size())) {
    std::array<uint32_t, 4> words = {};
    if (number < constants.floats.size()) {
      for (size_t i = 0; i < 4; ++i)
        words[i] = std::bit_cast<uint32_t>(constants.floats[number][i]);
    }
    for (const shader::Constant& own : program.floats) {
      if (own.number == number) words = own.words;
    }
    out.Separate();
    out.Raw("[\"c");
    out.Number(number);
    out.Raw("\",[");
    for (const uint32_t word : words) {
      out.Separate();
      out.FloatBits(word);
    }
    out.Raw("]]");
  }
  out.Raw(']');
}

void AppendShader(json::Builder& out, std::string_view kind, uint32_t handle,
                  const device::ShaderObject* shader, const device::ShaderConstants& constants) {
  if (shader == nullptr) return;
  out.Separate();
  out.Raw('{');
  AppendText(out, "kind", kind);
  AppendNumber(out, "handle", handle);
  AppendText(out, "assembly", shader::Disassemble(*shader->program));
  AppendConstants(out, *shader->program, constants);
  out.Raw('}');
}

void AppendRaw(json::Builder& out, std::string_view key, json::Builder& value) {
  if (value.size() == 0) return;
  out.Key(key);
  out.Raw(value.string());
  value.Clear();
}

void AppendElements(json::Builder& out, std::string_view key, json::Builder& elements) {
  if (elements.size() == 0) return;
  out.Key(key);
  out.Raw(elements.string());
  out.Raw(']');
  elements.Clear();
}

// The next element of a list that AppendElements ends.
void StartElement(json::Builder& list) {
  list.Raw(list.size() == 0 ? '[' : ',');
}

}  // namespace

void Details::StartFrame() {
  trail_.Clear();
  last_pack_.reset();
}

void Details::AddToken(uint64_t event, const stream::Command& command,
                       const stream::Environment& environment, uint32_t runtime_version) {
  if (++token_count_ > kListedTokens) return;
  std::string line;
  text::AppendCommand(line, command, environment, runtime_version);
  StartElement(tokens_);
  tokens_.Raw('{');
  AppendNumber(tokens_, "event", event);
  AppendNumber(tokens_, "offset", command.offset);
  AppendText(tokens_, "text", Cut(line, kShownText));
  tokens_.Key("hex");
  tokens_.Hex(command.bytes.first(std::min(command.bytes.size(), kShownBytes)));
  AppendNumber(tokens_, "size", command.bytes.size());
  tokens_.Raw('}');
}

void Details::AddEvent(uint64_t event, std::string_view name) {
  if (++token_count_ > kListedTokens) return;
  StartElement(tokens_);
  tokens_.Raw('{');
  AppendNumber(tokens_, "event", event);
  tokens_.Raw(",\"offset\":null");
  AppendText(tokens_, "text", name);
  tokens_.Raw('}');
}

Status Details::AddDraw(const device::Context& context, state::StateWrites& writes, uint64_t pack,
                        Item& item) {
  trail_.Append(states_, context, writes, last_pack_ != pack);
  last_pack_ = pack;
  item.states = trail_.changes();
  AppendShaders(context);
  return AppendTextures(context, item);
}

Status Details::AppendTextures(const device::Context& context, Item& item) {
  textures_.Raw('[');
  for (uint32_t stage = 0; stage <= d3d::kLastVertexSampler; ++stage) {
    const std::optional<uint32_t> slot = device::StageSlot(stage);
    const device::Resource* const texture = slot ? context.Texture(*slot) : nullptr;
    if (texture == nullptr) continue;
    const uint32_t handle = context.state.stage(*slot, d3d::TextureStageState::TextureMap);
    const Result<std::string> file = resources_.Add(*texture, context.PaletteOf(*texture));
    if (!file.ok()) return file.status();
    item.textures.push_back(handle);
    textures_.Separate();
    textures_.Raw('{');
    AppendNumber(textures_, "stage", stage);
    AppendNumber(textures_, "handle", handle);
    AppendText(textures_, "format", texture->surface.info().name);
    AppendNumber(textures_, "levels", texture->surface.description().levels);
    AppendNumber(textures_, "faces", texture->surface.description().faces);
    AppendText(textures_, "resource", *file);
    AppendSampler(textures_, context, *slot);
    textures_.Raw('}');
  }
  textures_.Raw(']');
  return OkStatus();
}

void Details::AppendShaders(const device::Context& context) {
  shaders_.Raw('[');
  AppendShader(shaders_, "vertex", context.state.vertex_program.function, context.VertexShader(),
               context.state.vertex_constants);
  AppendShader(shaders_, "pixel", context.state.pixel_shader, context.PixelShader(),
               context.state.pixel_constants);
  shaders_.Raw(']');
}

bool Details::WantsMesh() const {
  return mesh_count_ < kShownMeshes;
}

void Details::AddMesh(const state::Mesh& mesh) {
  ++mesh_count_;
  StartElement(meshes_);
  AppendVertices(meshes_, mesh);
}

void Details::AddFindings(std::span<const Diagnostic> findings, Item& item) {
  for (const Diagnostic& finding : findings) {
    ++item.findings[static_cast<size_t>(finding.severity)];
    item.rules.emplace(Info(finding.rule).id);
    rules_.insert(finding.rule);
    if (++finding_count_ > kListedFindings) continue;
    StartElement(findings_);
    AppendFinding(findings_, finding);
  }
}

std::string Details::Take() {
  json::Builder out;
  out.Raw('{');
  AppendRaw(out, "states", states_);
  AppendRaw(out, "textures", textures_);
  AppendElements(out, "vertices", meshes_);
  AppendRaw(out, "shaders", shaders_);
  AppendElements(out, "tokens", tokens_);
  AppendCount(out, "more_tokens", token_count_ - std::min<uint64_t>(token_count_, kListedTokens));
  AppendElements(out, "findings", findings_);
  AppendCount(out, "more_findings",
              finding_count_ - std::min<uint64_t>(finding_count_, kListedFindings));
  out.Raw('}');
  token_count_ = finding_count_ = mesh_count_ = 0;
  return std::move(out.string());
}

void AppendFinding(json::Builder& out, const Diagnostic& finding) {
  out.Raw('{');
  AppendText(out, "severity", dp2trace::Name(finding.severity));
  AppendText(out, "rule", Info(finding.rule).id);
  AppendText(out, "message", finding.message);
  if (finding.event) AppendNumber(out, "event", *finding.event);
  if (finding.offset) AppendNumber(out, "offset", *finding.offset);
  AppendCount(out, "frame", finding.frame);
  AppendCount(out, "draw", finding.draw);
  AppendText(out, "marker", finding.marker);
  AppendText(out, "path", finding.path);
  AppendText(out, "actual", finding.actual);
  AppendText(out, "expected", finding.expected);
  if (!finding.set_by.empty()) AppendText(out, "set_by", text::DescribeSetters(finding));
  if (finding.more.count() != 0)
    AppendText(out, "more", text::DescribeMore(finding.more, finding.frame));
  out.Raw('}');
}

std::string HistoryText(const history::History& history) {
  json::Builder out;
  out.Raw('{');
  const bool is_there = history.absence.empty();
  AppendText(out, "text", is_there ? history::ReportText(history) : history.absence + "\n");
  if (is_there) {
    out.Key("history");
    out.Raw(history::ReportJson({}, history));
  }
  out.Raw('}');
  return std::move(out.string());
}

std::string RuleText(Rule rule) {
  json::Builder out;
  out.Raw('{');
  AppendText(out, "title", Info(rule).summary);
  AppendText(out, "text", explain::ExplainRule(rule, tables::ListFormat::kText));
  out.Raw('}');
  return std::move(out.string());
}

Status Details::WriteRules() {
  for (const Rule rule : rules_)
    DP2TRACE_RETURN_IF_ERROR(data_->Write(fmt::format("rules/{}", Info(rule).id), RuleText(rule)));
  return OkStatus();
}

}  // namespace dp2trace::inspect
