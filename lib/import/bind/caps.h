// What a program was told of the device, as a file for --caps.
// Source: lib/design.md 3 ("Caps"); Microsoft's Direct3D 7 to 9 API reference (GetDeviceCaps, CheckDeviceFormat, GetCaps).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "d3d/caps.h"
#include "import/bind/call_args.h"
#include "trace/events.h"

namespace dp2trace::import {

class CapsCollector {
 public:
  // A call that did not fail.
  void OnCall(const Call& call);
  // A surface that the device made has a format that it knows.
  void OnSurface(const trace::SurfaceCreate& surface);
  // The members and, where the program asked for formats, the formats; empty where it asked for nothing.
  std::string Text() const;

 private:
  void TakeWords(const Value& caps);
  void TakeNames(const Value& description);

  std::map<d3d::Cap, uint32_t> caps_;
  std::set<uint32_t> formats_;  // D3DFORMAT
  bool has_asked_for_formats_ = false;
};

}  // namespace dp2trace::import
