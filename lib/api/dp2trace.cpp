// The C functions: arguments are checked, exceptions become numbers, the floating-point environment of the caller stays as it is.
#include "api/dp2trace.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "api/catch.h"
#include "api/options.h"
#include "api/session.h"
#include "base/floats.h"
#include "d3d/formats.h"
#include "rules/rule_info.h"

namespace {

using namespace dp2trace;  // NOLINT(google-build-using-namespace): the functions below are C

// Nothing where a name or number has no meaning.
std::optional<api::SessionOptions> Understand(const dp2trace_options& options) {
  std::optional<play::Options> play = api::PlayOptionsOf(options);
  if (!play) return std::nullopt;
  api::SessionOptions session;
  session.reader.max_memory = options.max_memory;
  session.replay.validation = std::move(play->validation);
  session.replay.validation.max_steps = UINT64_MAX;  // what is fed may go on for days
  session.replay.raster = play->raster;
  session.replay.renderer = std::move(play->renderer);
  // A caller of before these members has 0 here, and the rest of its options elsewhere.
  if (options.is_verify != 0) {
    if (options.tolerance > 255 || options.edge_pixels > image::kMaxEdgePixels ||
        options.reserved != 0)
      return std::nullopt;
    session.checks.emplace();
    session.checks->tolerance = options.tolerance;
    session.checks->edge_pixels = static_cast<uint8_t>(options.edge_pixels);
    session.checks->max_pixels = options.max_pixels;
    session.checks->lists_leaks = options.lists_leaks != 0;
  }
  return session;
}

uint64_t NumberOf(const std::optional<uint64_t>& number) {
  return number.value_or(DP2TRACE_NONE);
}

}  // namespace

struct dp2trace_session {
  explicit dp2trace_session(const api::SessionOptions& options) : session(options) {}

  int Fail(int result, const char* why) {
    error = why;
    return result;
  }
  int Fail(int result, const Diagnostic& diagnostic) {
    error_text = std::string(Info(diagnostic.rule).id) + ": " + diagnostic.message;
    return Fail(result, error_text.c_str());
  }
  // The session cannot go on.
  int End(int result, const char* why) {
    ended_by = result;
    end_text = why;
    return Fail(result, why);
  }
  int Settled(const Status& status) {
    if (status.ok()) return DP2TRACE_OK;
    ended_by = session.has_refused_input() ? DP2TRACE_E_INPUT : DP2TRACE_E_INTERNAL;
    const int result = Fail(ended_by, status.diagnostic());
    end_text = error;
    return result;
  }

  api::Session session;
  Diagnostic current;  // what `finding` points into
  dp2trace_finding finding{};
  dp2trace_level level{};
  dp2trace_statistics statistics{};
  std::string format_name;
  std::string error_text;
  const char* error = "";  // of the last call
  int ended_by = DP2TRACE_OK;
  const char* end_text = "";
};

namespace {

// Runs a function of a session that has not come to its end; returns what it returns.
template <class F>
int Guard(dp2trace_session* session, const F& function) {
  if (session == nullptr) return DP2TRACE_E_ARGUMENT;
  if (session->ended_by != DP2TRACE_OK) return session->Fail(session->ended_by, session->end_text);
  session->error = "";
  const DefaultFloats floats;
  try {
    return function(*session);
  } catch (const std::bad_alloc&) {
    return session->End(DP2TRACE_E_MEMORY, dp2trace_describe(DP2TRACE_E_MEMORY));
  } catch (...) {
    return session->End(DP2TRACE_E_INTERNAL, dp2trace_describe(DP2TRACE_E_INTERNAL));
  }
}

void Describe(const image::ConstLevel& bits, std::string& name, dp2trace_level& out) {
  const d3d::FormatInfo& info = *bits.info;
  name = info.name;
  out.bytes = bits.bytes;
  out.format = static_cast<uint32_t>(info.format);
  out.format_name = name.c_str();
  out.width = bits.width;
  out.height = bits.height;
  out.slices = bits.slices;
  out.block_width = info.block_width;
  out.block_height = info.block_height;
  out.block_size = info.block_size;
  out.rows = (bits.height + info.block_height - 1) / info.block_height;
  out.row_size = (uint64_t{bits.width} + info.block_width - 1) / info.block_width * info.block_size;
  out.pitch = bits.pitch;
  out.slice_pitch = bits.slice_pitch;
}

int GetLevel(dp2trace_session& s, uint32_t space_id, uint32_t handle, uint32_t face,
             uint32_t level) {
  if (const int settled = s.Settled(s.session.Settle()); settled != DP2TRACE_OK) return settled;
  const device::Space* const space = s.session.device().FindSpace(space_id);
  const device::SurfaceRef found = space != nullptr ? space->Find(handle) : device::SurfaceRef{};
  if (!found) return s.Fail(DP2TRACE_E_NOT_FOUND, "no surface has this handle in this space");
  const image::Surface& surface = found.surface();
  const uint64_t the_face = uint64_t{found.face} + face;
  const uint64_t the_level = uint64_t{found.level} + level;
  if (the_face > UINT32_MAX || the_level > UINT32_MAX ||
      !surface.HasLevel(static_cast<uint32_t>(the_face), static_cast<uint32_t>(the_level)))
    return s.Fail(DP2TRACE_E_NOT_FOUND, "the surface does not have this face and level");
  if (!surface.has_pixels())
    return s.Fail(DP2TRACE_E_NOT_FOUND, "the session only checks: its surfaces have no pixels");
  Describe(surface.level(static_cast<uint32_t>(the_face), static_cast<uint32_t>(the_level)),
           s.format_name, s.level);
  return DP2TRACE_OK;
}

void Describe(const Diagnostic& from, dp2trace_finding& out) {
  out.rule = Info(from.rule).id.data();  // of the table: ends with a zero
  out.severity = static_cast<int>(from.severity);
  out.event = NumberOf(from.event);
  out.offset = NumberOf(from.offset);
  out.length = from.length;
  out.path = from.path.c_str();
  out.message = from.message.c_str();
  out.actual = from.actual.c_str();
  out.expected = from.expected.c_str();
}

}  // namespace

const char* dp2trace_version(void) {
  return DP2TRACE_VERSION;
}

const char* dp2trace_describe(int result) {
  switch (result) {
    case DP2TRACE_OK:
      return "nothing is wrong";
    case DP2TRACE_E_ARGUMENT:
      return "an argument is null, or has no meaning";
    case DP2TRACE_E_MEMORY:
      return "there is not enough memory";
    case DP2TRACE_E_INPUT:
      return "the bytes are not a trace that this version reads";
    case DP2TRACE_E_NOT_FOUND:
      return "there is no such surface, face or level, or no answer";
    case DP2TRACE_E_ENDED:
      return "the trace was said to be finished, or the work was cancelled";
    case DP2TRACE_E_INTERNAL:
      return "the library has a defect";
    default:
      return "not a number of this version";
  }
}

void dp2trace_options_init(dp2trace_options* options, size_t size) {
  if (options == nullptr) return;
  const dp2trace_options defaults = api::DefaultOptions();
  std::memset(static_cast<void*>(options), 0, size);
  std::memcpy(static_cast<void*>(options), &defaults, std::min(size, sizeof defaults));
}

int dp2trace_open(const dp2trace_options* options, dp2trace_session** session) {
  if (session == nullptr) return DP2TRACE_E_ARGUMENT;
  *session = nullptr;
  return api::Catch([&]() -> int {
    const std::optional<api::SessionOptions> understood =
        Understand(options != nullptr ? *options : api::DefaultOptions());
    if (!understood) return DP2TRACE_E_ARGUMENT;
    *session = std::make_unique<dp2trace_session>(*understood).release();
    return DP2TRACE_OK;
  });
}

void dp2trace_close(dp2trace_session* session) {
  const DefaultFloats floats;
  delete session;
}

int dp2trace_feed(dp2trace_session* session, const void* bytes, size_t size) {
  return Guard(session, [&](dp2trace_session& s) {
    if (bytes == nullptr && size != 0) return s.Fail(DP2TRACE_E_ARGUMENT, "the bytes are null");
    if (s.session.is_finished())
      return s.Fail(DP2TRACE_E_ENDED, dp2trace_describe(DP2TRACE_E_ENDED));
    return s.Settled(s.session.Feed({static_cast<const uint8_t*>(bytes), size}));
  });
}

int dp2trace_settle(dp2trace_session* session) {
  return Guard(session, [](dp2trace_session& s) { return s.Settled(s.session.Settle()); });
}

int dp2trace_finish(dp2trace_session* session) {
  return Guard(session, [](dp2trace_session& s) { return s.Settled(s.session.Finish()); });
}

// A session that is at its end still has the findings before.
const dp2trace_finding* dp2trace_next_finding(dp2trace_session* session) {
  if (session == nullptr) return nullptr;
  session->error = "";
  try {
    std::optional<Diagnostic> finding = session->session.TakeFinding();
    if (!finding) return nullptr;
    session->current = std::move(*finding);
  } catch (...) {
    session->End(DP2TRACE_E_MEMORY, dp2trace_describe(DP2TRACE_E_MEMORY));
    return nullptr;
  }
  Describe(session->current, session->finding);
  return &session->finding;
}

const dp2trace_level* dp2trace_get_level(dp2trace_session* session, uint32_t space, uint32_t handle,
                                         uint32_t face, uint32_t level) {
  const int result =
      Guard(session, [&](dp2trace_session& s) { return GetLevel(s, space, handle, face, level); });
  return result == DP2TRACE_OK ? &session->level : nullptr;
}

const dp2trace_statistics* dp2trace_get_statistics(dp2trace_session* session) {
  if (session == nullptr) return nullptr;
  session->error = "";
  const replay::Statistics& from = session->session.statistics();
  session->statistics = {from.events,
                         from.calls,
                         from.commands,
                         from.draws,
                         from.frames,
                         session->session.CountOf(Severity::kError),
                         session->session.CountOf(Severity::kWarning),
                         session->session.CountOf(Severity::kAdvice),
                         session->session.unlisted()};
  return &session->statistics;
}

const char* dp2trace_last_error(const dp2trace_session* session) {
  return session == nullptr ? "" : session->error;
}
