#include "import/importer.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "import/bind/binding.h"
#include "import/bind/caps.h"
#include "trace/draw_counter.h"

namespace dp2trace::import {
namespace {

constexpr std::string_view kFailed = "failed when it was recorded; skipped";
constexpr std::string_view kUnknown = "not known: its effect is not in the trace";
constexpr std::string_view kUnsupported =
    "not supported, or an object is not known: its effect is not in the trace";

// What an unsupported call leaves out, by its method or by its interface.
struct Effect {
  std::string_view name;
  std::string_view text;
};
constexpr Effect kEffects[] = {
    {"GetDC",
     "what GDI draws is not in a capture: it is missing on the surface until the program writes there"},
    {"SetClipList",
     "a capture holds the bounds of a clip list only: blits are cut there, not at each of its rectangles"},
    {"Blt",
     "blits that rotate, other raster operations and surfaces of two DirectDraw objects are not supported, or an object is not known: nothing is drawn"},
    {"UpdateOverlay",
     "overlays with alpha, without the key that they name, on a primary surface of 8 bits or beside it are not supported, or an object is not known: none is shown"},
    {"SetOverlayPosition", "the overlay is not shown: nothing moves"},
    {"DrawPrimitiveStrided",
     "the capture holds the addresses of strided vertices only: nothing is drawn"},
    {"DrawIndexedPrimitiveStrided",
     "the capture holds the addresses of strided vertices only: nothing is drawn"},
    {"Vertex",
     "the capture holds the address of the vertex only: it is missing from its primitives"},
    {"ProcessVerticesStrided",
     "a capture holds the addresses of strided vertices only: the destination stays as it was"},
    {"ProcessVertices",
     "buffers and shaders that the runtime does not keep and formats without a screen position are not processed: the destination stays as it was"},
    {"SetSurfaceDesc", "the program's own memory is not in a capture: the surface stays as it was"},
    {"SetConvolutionMonoKernel", "not modelled: the filter keeps its default"},
};

std::string_view EffectOf(std::string_view function) {
  const size_t colons = function.find("::");
  if (colons == std::string_view::npos) return kUnsupported;
  for (const Effect& effect : kEffects) {
    if (effect.name == function.substr(colons + 2) || effect.name == function.substr(0, colons))
      return effect.text;
  }
  return kUnsupported;
}

enum class Api : uint8_t { kNone, kDirect3D8, kDirect3D9, kDirectDraw, kCopy };

// By the name of the function: "IDirect3DDevice9Ex::Clear", "Direct3DCreate8".
Api ApiOf(std::string_view name) {
  if (name == "memcpy") return Api::kCopy;
  std::string_view type = name.substr(0, name.find("::"));
  if (type.starts_with("D3DPERF_")) return Api::kDirect3D9;
  if (!type.starts_with("IDirect") && !type.starts_with("Direct")) return Api::kNone;
  if (type.starts_with("Direct3DShaderValidatorCreate"))
    return type.ends_with("8") ? Api::kDirect3D8 : Api::kDirect3D9;
  if (type.ends_with("Ex") && !type.starts_with("DirectDraw")) type.remove_suffix(2);
  const bool is_direct3d = type.starts_with("IDirect3D") || type.starts_with("Direct3D");
  if (is_direct3d && type.ends_with("9")) return Api::kDirect3D9;
  if (is_direct3d && type.ends_with("8")) return Api::kDirect3D8;
  return Api::kDirectDraw;
}

// APIs of other captures, by the beginnings of their functions. A name goes on with a capital letter or a digit.
struct ForeignApi {
  std::string_view prefix;
  std::string_view name;
};
constexpr ForeignApi kForeignApis[] = {
    {"gl", "OpenGL"},
    {"wgl", "OpenGL"},
    {"glX", "OpenGL"},
    {"CGL", "OpenGL"},
    {"egl", "OpenGL ES or OpenGL (EGL)"},
    {"vk", "Vulkan"},
    {"ID3D10", "Direct3D 10"},
    {"D3D10", "Direct3D 10"},
    {"ID3D11", "Direct3D 11"},
    {"D3D11", "Direct3D 11"},
    {"ID3D12", "Direct3D 12"},
    {"D3D12", "Direct3D 12"},
    {"IDXGI", "DXGI (Direct3D 10 to 12)"},
    {"CreateDXGI", "DXGI (Direct3D 10 to 12)"},
    {"ID2D1", "Direct2D"},
    {"D2D1", "Direct2D"},
};

// Empty where the function is of no API that is known.
std::string_view ForeignApiOf(std::string_view function) {
  for (const ForeignApi& api : kForeignApis) {
    if (!function.starts_with(api.prefix) || function.size() == api.prefix.size()) continue;
    const char next = function[api.prefix.size()];
    if ((next >= 'A' && next <= 'Z') || (next >= '0' && next <= '9')) return api.name;
  }
  return {};
}

// Work of a call, in steps (Allowance), beside what is recorded.
constexpr uint64_t kCallSteps = 800;
// What is kept of a function, and of one that is dropped, about.
constexpr uint64_t kFunctionSize = 160;
// Functions that are named one by one: more than any API has.
constexpr size_t kMaxDropped = 1000;

class Importer {
 public:
  Importer(runtime::EventSink& sink, const ImportOptions& options)
      : sink_(sink, caps_), options_(options) {}

  void OnCall(const Call& call) {
    ++report_.calls;
    if (!options_.allowance->Spend(kCallSteps)) return;
    const auto [found, is_new] = apis_.try_emplace(call.function);
    if (is_new) {
      found->second = ApiOf(call.function->name);
      (void)options_.allowance->Take(kFunctionSize);
    }
    const Api api = found->second;
    if (api == Api::kCopy) return OnCopy(call);
    if (api == Api::kNone) {
      CountForeign(call);
      return Drop(call, kUnknown);
    }
    if (session_ == nullptr) Start(api, call.function->name.find("9Ex") != std::string::npos);
    if (HasFailed(call)) return Drop(call, kFailed);
    caps_.OnCall(call);
    switch (BindingOf(api).OnCall(call)) {
      case Outcome::kDone:
      case Outcome::kNoEffect:
        break;
      case Outcome::kUnsupported:
        Drop(call, EffectOf(call.function->name));
        break;
      case Outcome::kUnknown:
        Drop(call, kUnknown);
        break;
    }
  }

  Status status() const { return recorder_ == nullptr ? OkStatus() : recorder_->status(); }

  ImportReport Finish() {
    // A capture without a call is a trace without events but the header.
    report_.is_empty = session_ == nullptr;
    if (session_ == nullptr) NameForeign();
    if (session_ == nullptr) Start(Api::kDirect3D9, false);
    recorder_->Finish();
    report_.events = recorder_->event_count();
    report_.draws = recorder_->draw_count();
    report_.frames = sink_.frames();
    const std::map<std::string, uint64_t> missing = session_->gdi.Missing();
    for (const auto& [function, count] : missing)
      dropped_[{function, EffectOf(function)}] += count;
    for (const auto& [key, count] : dropped_) {
      if (report_.dropped.size() < kMaxDropped) {
        report_.dropped.push_back({std::string(key.first), count, key.second});
      } else {
        ++report_.more_dropped;
      }
    }
    report_.notes.assign(session_->notes.begin(), session_->notes.end());
    report_.caps_text = caps_.Text();
    return std::move(report_);
  }

 private:
  // The first call of an API says what driver it is.
  void Start(Api api, bool is_d3d9ex) {
    runtime::RecorderOptions options;
    options.level = api == Api::kDirect3D9   ? 9
                    : api == Api::kDirect3D8 ? 8
                                             : options_.direct_draw_level;
    options.runtime_version = api == Api::kDirect3D9 ? 5 : api == Api::kDirect3D8 ? 4 : 3;
    options.d3d9ex = is_d3d9ex;
    options.transport = options_.transport;
    options.generator = options_.generator;
    options.source = options_.source;
    options.allowance = options_.allowance;
    recorder_ = std::make_unique<runtime::Recorder>(sink_, std::move(options));
    session_ =
        std::make_unique<Session>(Session{*recorder_, LockTable(options_.allowance), {}, {}});
  }

  Binding& BindingOf(Api api) {
    std::unique_ptr<Binding>& binding = api == Api::kDirectDraw ? direct_draw_ : direct3d_;
    if (binding == nullptr) {
      binding = api == Api::kDirectDraw ? MakeDirectDrawBinding(*session_)
                                        : MakeDirect3DBinding(*session_);
    }
    return *binding;
  }

  // memcpy(dest, src, n): what the program wrote through a lock.
  void OnCopy(const Call& call) {
    const CallArgs args(call);
    if (session_ == nullptr || !session_->locks.Write(args.U64(size_t{0}), args.Blob(1)))
      ++report_.lost_copies;
  }

  void Drop(const Call& call, std::string_view effect) {
    const auto [found, is_new] = dropped_.try_emplace({call.function->name, effect});
    if (is_new) (void)options_.allowance->Take(kFunctionSize);
    ++found->second;
  }

  void CountForeign(const Call& call) {
    if (first_foreign_.empty()) first_foreign_ = call.function->name;
    if (const std::string_view api = ForeignApiOf(call.function->name); !api.empty())
      ++foreign_calls_[api];
  }

  // The API with most calls.
  void NameForeign() {
    report_.foreign_api = first_foreign_.empty() ? std::string() : first_foreign_ + "()";
    uint64_t most = 0;
    for (const auto& [api, count] : foreign_calls_) {
      if (count > most) report_.foreign_api = api;
      most = std::max(most, count);
    }
  }

  // Shows the surfaces to the caps on their way.
  class Sink final : public runtime::EventSink {
   public:
    Sink(runtime::EventSink& next, CapsCollector& caps) : next_(next), caps_(caps) {}
    Status OnEvent(const trace::Event& event) override {
      if (const auto* surface = std::get_if<trace::SurfaceCreate>(&event))
        caps_.OnSurface(*surface);
      frames_.Add(event);
      return next_.OnEvent(event);
    }

    uint64_t frames() const { return frames_.count(); }

   private:
    runtime::EventSink& next_;
    CapsCollector& caps_;
    trace::FrameCounter frames_;
  };

  CapsCollector caps_;
  Sink sink_;
  const ImportOptions& options_;
  ImportReport report_;
  std::map<const FunctionSignature*, Api> apis_;
  // The names are those of the signatures, which live as long as the parser.
  std::map<std::pair<std::string_view, std::string_view>, uint64_t> dropped_;
  std::map<std::string_view, uint64_t> foreign_calls_;  // by API
  std::string first_foreign_;
  std::unique_ptr<runtime::Recorder> recorder_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<Binding> direct3d_;
  std::unique_ptr<Binding> direct_draw_;
};

}  // namespace

namespace {

// The calls of a capture, one by one. Its status fails where `progress` does: the calls end there.
class ReportedCalls {
 public:
  ReportedCalls(CallParser& parser, const Progress& progress)
      : parser_(parser), progress_(progress) {}

  const Call* Next() {
    constexpr uint64_t kStep = 4096;
    if (progress_ && ++count_ % kStep == 0) status_ = progress_(parser_.position());
    return status_.ok() ? parser_.Next() : nullptr;
  }
  const Status& status() const { return status_; }

 private:
  CallParser& parser_;
  const Progress& progress_;
  uint64_t count_ = 0;
  Status status_;
};

}  // namespace

Result<uint32_t> FindDirectDrawLevel(CallParser& parser, const Progress& progress) {
  constexpr uint32_t kLevel6 = 6;
  constexpr uint32_t kLevel7 = 7;
  bool has_old_device = false;
  ReportedCalls calls(parser, progress);
  while (const Call* call = calls.Next()) {
    const std::string_view name = call->function->name;
    const Api api = ApiOf(name);
    if (api == Api::kDirect3D8 || api == Api::kDirect3D9) return kLevel7;
    if (HasFailed(*call)) continue;
    if (name == "IDirect3D7::CreateDevice") return kLevel7;
    has_old_device = has_old_device || name.starts_with("IDirect3DDevice::") ||
                     name.starts_with("IDirect3DDevice2::") ||
                     name.starts_with("IDirect3DDevice3::");
  }
  DP2TRACE_RETURN_IF_ERROR(calls.status());
  return has_old_device ? kLevel6 : kLevel7;
}

Result<ImportReport> Import(CallParser& parser, runtime::EventSink& sink,
                            const ImportOptions& options, const Progress& progress) {
  Importer importer(sink, options);
  ReportedCalls calls(parser, progress);
  while (const Call* call = calls.Next()) {
    importer.OnCall(*call);
    DP2TRACE_RETURN_IF_ERROR(importer.status());
  }
  DP2TRACE_RETURN_IF_ERROR(calls.status());
  ImportReport report = importer.Finish();
  DP2TRACE_RETURN_IF_ERROR(importer.status());
  return report;
}

}  // namespace dp2trace::import
