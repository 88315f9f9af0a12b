// A device as events: header, surfaces, contexts, contents, and the state of the contexts as tokens; as far as a part of a trace needs it.
// Source: DESIGN section 3 ("Recording": `start`).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "device/device.h"
#include "edit/creations.h"
#include "edit/part.h"
#include "edit/scratch.h"
#include "trace_file/sink.h"

namespace dp2trace::edit {

class Snapshot {
 public:
  // All outlive the snapshot. Surfaces of the device have pixels.
  Snapshot(const device::Device& device, const Creations& creations, const Part& part);

  // Finds what the snapshot needs and how to say it. Not empty: what cannot be said.
  std::string Prepare();
  bool HasSurface(const std::pair<uint32_t, uint32_t>& key) const {
    return surfaces_.contains(key);
  }
  // Appends the events; only behind a Prepare() that found nothing. `count` grows by their number.
  Status Write(trace_file::Sink& sink, uint64_t& count) const;

 private:
  using SurfaceKey = std::pair<uint32_t, uint32_t>;  // space and root handle

  const device::Resource* FindLive(const SurfaceKey& key) const;
  void AddSurface(const SurfaceKey& key);
  void FindSurfaces();
  void MakeCreates();
  void MakeContexts();
  // The event as it has to be now: without handles that name nothing any more.
  trace::SurfaceCreate Renew(const trace::SurfaceCreate& create) const;
  Status WriteContents(trace_file::Sink& sink, uint64_t& count) const;
  Status WriteContent(trace_file::Sink& sink, const SurfaceKey& key,
                      const device::Resource& resource, uint32_t face, uint32_t level) const;

  const device::Device& device_;
  const Creations& creations_;
  const Part& part_;
  std::string gap_;
  std::set<SurfaceKey> surfaces_;
  std::map<uint64_t, trace::SurfaceCreate> creates_;  // by event
  std::vector<trace::ContextCreate> contexts_;
  // Of each context, in their order.
  std::vector<std::vector<uint8_t>> commands_;
  Scratch scratch_;
};

}  // namespace dp2trace::edit
