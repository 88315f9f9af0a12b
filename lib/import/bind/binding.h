// What binds the calls of an API to its runtime model: a table from function name to handler, and what the handlers share.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string_view>

#include "import/bind/call_args.h"
#include "import/bind/gdi_drawings.h"
#include "import/bind/lock_table.h"
#include "runtime/core/recorder.h"

namespace dp2trace::import {

// What became of a call that succeeded.
enum class Outcome : uint8_t {
  kDone,         // recorded
  kNoEffect,     // known; nothing of it reaches a driver
  kUnsupported,  // known; its effect is not in the trace
  kUnknown,      // not a function of the binding
};
constexpr Outcome Done(bool is_done) {
  return is_done ? Outcome::kDone : Outcome::kUnsupported;
}

// Shared by the bindings of all APIs of one capture.
struct Session {
  runtime::Recorder& recorder;
  LockTable locks;
  GdiDrawings gdi = {};
  // What a user should know of the whole recording, once each.
  std::set<std::string_view> notes = {};

  // The marker of a draw, present or lock: function name and call number. Before the events of the call.
  void Mark(const Call& call) { recorder.Mark(call.function->name, call.number); }
};

class Binding {
 public:
  virtual ~Binding() = default;
  // Deals with a call that did not fail (HasFailed). `memcpy` goes to Session::locks before and never arrives here.
  virtual Outcome OnCall(const Call& call) = 0;
};

// Direct3D 8 and 9: functions of IDirect3D*8, IDirect3D*9, Direct3DCreate8/9.
std::unique_ptr<Binding> MakeDirect3DBinding(Session& session);
// DirectDraw 1-7, Direct3D 2-7: functions of DirectDrawCreate*, IDirectDraw*, IDirect3D[2-7]?, IDirect3DDevice[2-7]?, IDirect3DViewport[23]? and others
// without the suffix 8 or 9.
std::unique_ptr<Binding> MakeDirectDrawBinding(Session& session);

}  // namespace dp2trace::import
