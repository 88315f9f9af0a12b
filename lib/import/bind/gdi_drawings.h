// Surfaces that GDI drew on through GetDC. A capture does not hold what it drew; but where the program then locks the whole surface to write,
// the copy of that lock is what GDI left there, and nothing is missing as long as nobody looked before.
// Source: lib/import/captures.md (memcpy records, GetDC).
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "import/bind/lock_table.h"
#include "runtime/core/recorder.h"

namespace dp2trace::import {

class GdiDrawings {
 public:
  // GetDC of the surface.
  void OnGetDc(const LockKey& surface, const std::string& function,
               const runtime::Recorder& recorder);
  // The capture holds all that is on the surface now.
  void OnWholeWrite(const LockKey& surface, const runtime::Recorder& recorder);
  // Calls whose drawing is missing, by function.
  std::map<std::string, uint64_t> Missing() const;

 private:
  struct Drawing {
    std::string function;
    uint64_t uses = 0;
    uint64_t calls = 0;
  };
  std::map<LockKey, Drawing> open_;
  std::map<std::string, uint64_t> missing_;
};

}  // namespace dp2trace::import
