#include "coverage/coverage.h"

#include <algorithm>
#include <utility>

#include "base/in_order.h"
#include "d3d/formats.h"
#include "d3d/states.h"
#include "device/state_value.h"
#include "play/player.h"
#include "rules/rule_info.h"
#include "shader/decoder.h"
#include "shader/instruction.h"
#include "stream/records.h"
#include "validate/findings.h"

namespace dp2trace::coverage {
namespace {

bool IsEnumerated(const d3d::StateInfo& info) {
  return info.names != nullptr &&
         (info.type == d3d::ValueType::kEnum || info.type == d3d::ValueType::kFlags);
}

std::string ValueItemName(const d3d::StateInfo& info, std::string_view value) {
  return std::string(info.name) + "=" + std::string(value);
}

void AddCoverageName(std::vector<std::string>& names, std::string name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
}

void AddValueNames(std::vector<std::string>& names, const d3d::StateInfo& info,
                   const EnumInfo* values) {
  if (values == nullptr) return;
  for (const EnumValue& value : values->values) {
    if (value.value < info.min || value.value > info.max) continue;
    if (d3d::IsExcluded(info, value.value)) continue;
    AddCoverageName(names, ValueItemName(info, value.name));
  }
}

void AddStateGroups(std::vector<CoverageGroup>& groups, std::span<const d3d::StateInfo> states,
                    CoverageGroup set, CoverageGroup values) {
  for (const d3d::StateInfo& info : states) {
    if (info.state_class == d3d::StateClass::kUserMode) continue;
    set.names.emplace_back(info.name);
    if (!IsEnumerated(info)) continue;
    AddValueNames(values.names, info, info.names);
    AddValueNames(values.names, info, info.legacy_names);
  }
  groups.push_back(std::move(set));
  groups.push_back(std::move(values));
}

// One group out of the rows of a table.
template <class Rows, class NameOfRow>
CoverageGroup MakeCoverageGroup(std::string_view key, std::string_view title, const Rows& rows,
                                const NameOfRow& name) {
  CoverageGroup group{key, title, {}, false};
  for (const auto& row : rows)
    AddCoverageName(group.names, std::string(name(row)));
  return group;
}

std::vector<CoverageGroup> MakeCoverageGroups() {
  const auto name = [](const auto& row) { return row.name; };
  std::vector<CoverageGroup> groups;
  CoverageGroup operations{"operations", "Operations", {}, false};
  for (const opcode::OpInfo& op : opcode::AllOps()) {
    if (op.direction == opcode::Direction::kToDriver) operations.names.emplace_back(op.name);
  }
  groups.push_back(std::move(operations));
  AddStateGroups(groups, d3d::AllRenderStates(), {"render_states", "Render states", {}, false},
                 {"render_state_values", "Values of render states", {}, false});
  AddStateGroups(groups, d3d::AllTextureStageStates(),
                 {"texture_stage_states", "Texture stage states", {}, false},
                 {"texture_stage_state_values", "Values of texture stage states", {}, false});
  groups.push_back(MakeCoverageGroup("formats", "Formats", d3d::AllFormats(), name));
  groups.push_back(MakeCoverageGroup("primitive_types", "Primitive types",
                                     d3d::kPrimitiveTypeNames.values, name));
  groups.push_back(MakeCoverageGroup("shader_instructions", "Shader instructions",
                                     shader::AllInstructions(), name));
  const auto id = [](const RuleInfo& row) { return row.id; };
  groups.push_back(MakeCoverageGroup("rules", "Rules", AllRules(), id));
  groups.push_back(MakeCoverageGroup(kBarelyKeptGroup, "Rules barely kept", AllRules(), id));
  groups.back().is_on_demand = true;
  return groups;
}

// Notes what runs.
class CoverageRecorder final : public play::Listener, public device::StateObserver {
 public:
  void Note(std::string_view group, std::string_view name) {
    if (!name.empty()) items.insert(std::string(group) + "/" + std::string(name));
  }

  device::StateObserver* state_observer() override { return this; }
  Status AfterEvent(const trace::Event& event) override {
    if (const auto* create = std::get_if<trace::SurfaceCreate>(&event)) NoteFormat(*create);
    return OkStatus();
  }
  void BeforeApply(const device::Context& /*context*/, const stream::Command& command) override {
    Note("operations", command.op->name);
    const auto& tails = command.op->tails;
    for (size_t tail = 0; tail < tails.size(); ++tail) {
      if (tails[tail].is_shader_code) NoteShaders(command, tail);
    }
  }
  void OnContext(const device::Context& /*context*/) override {}
  void OnSet(const device::Context& context, const stream::Command& /*command*/,
             device::StateKey key, const device::StateWords& words,
             const device::StateBlock* /*block*/) override {
    if (key.kind == device::StateKind::kRender) {
      NoteState("render_state", d3d::FindRenderState(key.index), words[0], context);
    } else if (key.kind == device::StateKind::kStage) {
      NoteState("texture_stage_state",
                d3d::FindTextureStageState(key.index % d3d::kTextureStageStateCount), words[0],
                context);
    }
  }
  bool OnDraw(const device::Draw& draw) override {
    Note("primitive_types", NameOf(d3d::kPrimitiveTypeNames, d3d::Value(draw.type)));
    return true;
  }

  void NoteFormat(const trace::SurfaceCreate& create) {
    const d3d::FormatInfo* format = d3d::FindFormat(create.format);
    if (format == nullptr && create.pixel_format) {
      const d3d::PixelFormat& pixel = *create.pixel_format;
      format =
          d3d::FormatFromPixelFormat(pixel.flags, pixel.four_cc, pixel.bit_count, pixel.red_mask,
                                     pixel.green_mask, pixel.blue_mask, pixel.alpha_mask);
    }
    if (format != nullptr) Note("formats", format->name);
  }
  // Takes the findings, so that they need no memory.
  void NoteRules(DiagnosticList& findings) {
    for (const Diagnostic& finding : findings.items())
      Note("rules", Info(finding.rule).id);
    for (const auto& [rule, count] : findings.dropped_by_rule())
      Note("rules", Info(rule).id);
    findings = DiagnosticList();
  }

  CoveredItems items;

 private:
  void NoteShaders(const stream::Command& command, size_t tail) {
    for (const stream::Record& record : stream::Records(command, {})) {
      DiagnosticList ignored;  // the rules of shaders report them
      for (const shader::Instruction& instruction :
           shader::Decode(record.Tail(tail).bytes, ignored).instructions)
        Note("shader_instructions", instruction.info->name);
    }
  }
  void NoteState(std::string_view kind, const d3d::StateInfo* info, uint32_t value,
                 const device::Context& context) {
    if (info == nullptr) return;
    Note(std::string(kind) + "s", info->name);
    if (!IsEnumerated(*info)) return;
    const EnumInfo* const names = d3d::ValueNames(*info, context.runtime_version);
    if (names == nullptr) return;
    const bool is_flags = info->type == d3d::ValueType::kFlags;
    for (const EnumValue& row : names->values) {
      const bool has =
          is_flags && row.value != 0 ? (value & row.value) == row.value : value == row.value;
      if (has) Note(std::string(kind) + "_values", ValueItemName(*info, row.name));
    }
  }
};

}  // namespace

const std::vector<CoverageGroup>& CoverageGroups() {
  static const std::vector<CoverageGroup> kGroups = MakeCoverageGroups();
  return kGroups;
}

CoverageResult CoverFile(const std::string& path, const lint::LintJob& job) {
  CoverageResult result;
  result.coverage.trace = path;
  DiagnosticList reading;
  DiagnosticList findings;
  trace_file::OpenError error;
  const std::unique_ptr<trace_file::Source> source =
      trace_file::WithResults(trace_file::Source::Open(path, job.max_memory, reading, error));
  if (source == nullptr) {
    result.error = error;
    return result;
  }
  CoverageRecorder recorder;
  play::RunnerOptions validation = job.validation;
  if (source->size() != 0) validation.file_bytes = source->size();
  play::Player player({.validation = validation, .raster = {}}, findings, {&recorder});
  for (trace::EventRecord record; source->Next(record);) {
    validate::MoveConfigured(reading, validation.rules, findings);
    if (!player.OnEvent(record.number, record.event).ok()) break;  // the recorder never fails
    recorder.NoteRules(findings);
    if (player.has_ended()) break;
  }
  validate::MoveConfigured(reading, validation.rules, findings);
  player.Finish();
  recorder.NoteRules(findings);
  result.is_incomplete = source->is_incomplete() || player.has_ended();
  result.read = source->status();
  result.coverage.items = std::move(recorder.items);
  return result;
}

std::vector<CoverageResult> CoverFiles(const std::vector<std::string>& paths,
                                       const lint::LintJob& job, const MoreItems& add_more) {
  const auto cover = [&](size_t i) {
    CoverageResult result = CoverFile(paths[i], job);
    if (add_more && !result.error) add_more(paths[i], result.coverage.items);
    return result;
  };
  std::vector<CoverageResult> results;
  InOrder(paths.size(), job.threads, cover, [&](CoverageResult result) {
    results.push_back(std::move(result));
    return true;
  });
  return results;
}

std::vector<TraceCoverage> Merged(std::vector<TraceCoverage> traces) {
  std::ranges::stable_sort(traces, {}, &TraceCoverage::trace);
  std::vector<TraceCoverage> merged;
  for (TraceCoverage& trace : traces) {
    if (merged.empty() || merged.back().trace != trace.trace) {
      merged.push_back(std::move(trace));
    } else {
      merged.back().items.merge(trace.items);
    }
  }
  return merged;
}

CoveredItems AllCovered(std::span<const TraceCoverage> traces) {
  CoveredItems all;
  for (const TraceCoverage& trace : traces)
    all.insert(trace.items.begin(), trace.items.end());
  return all;
}

std::vector<std::string> MinimalTraces(std::span<const TraceCoverage> traces) {
  std::vector<std::string> chosen;
  for (CoveredItems missing = AllCovered(traces); !missing.empty();) {
    const TraceCoverage* best = nullptr;
    ptrdiff_t most = 0;
    for (const TraceCoverage& trace : traces) {
      const auto adds = std::ranges::count_if(
          trace.items, [&](const std::string& item) { return missing.contains(item); });
      const bool is_first = adds == most && best != nullptr && trace.trace < best->trace;
      if (adds <= most && !is_first) continue;
      best = &trace;
      most = adds;
    }
    chosen.push_back(best->trace);
    for (const std::string& item : best->items)
      missing.erase(item);
  }
  std::ranges::sort(chosen);
  return chosen;
}

}  // namespace dp2trace::coverage
