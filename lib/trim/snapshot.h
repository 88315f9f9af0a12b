// A device as events: header, surfaces, contexts, contents, and the state of the contexts as tokens; as far as a part of a trace needs it.
// Source: lib/design.md 3 ("Recording": `start`).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "device/device.h"
#include "trace_file/sink.h"
#include "trace_model/scratch_device.h"
#include "trim/creations.h"
#include "trim/kmt_snapshot.h"
#include "trim/part.h"

namespace dp2trace::trim {

class Snapshot {
 public:
  // All outlive the snapshot. Surfaces of the device have pixels.
  Snapshot(const device::Device& device, const device::KmtObjects& objects,
           const Creations& creations, const KmtCreations& kmt_creations, const Part& part);

  // Finds what the snapshot needs and how to say it. Not empty: what cannot be said.
  std::string Prepare();
  bool HasSurface(const std::pair<uint32_t, uint32_t>& key) const {
    return surfaces_.contains(key);
  }
  const KmtSnapshot& kmt() const { return kmt_; }
  // Appends the events; only after a Prepare() that found nothing. `count` grows by their number.
  Status Write(trace_file::Sink& sink, uint64_t& count) const;

 private:
  using SurfaceKey = std::pair<uint32_t, uint32_t>;  // space and root handle

  const device::Resource* FindLive(const SurfaceKey& key) const;
  void AddSurface(const SurfaceKey& key);
  void FindSurfaces();
  // The handle of a surface of the snapshot, or of one of its levels.
  bool HasHandle(uint32_t space, uint32_t handle) const;
  void MakeCreates();
  void MakeContexts();
  void MakePackets(const PacketContext& made, Bytes commands);
  void CheckPackets();
  // The event as it has to be now: without handles that name nothing any more.
  trace::SurfaceCreate Renew(const trace::SurfaceCreate& create) const;
  Status WriteContents(trace_file::Sink& sink, uint64_t& count) const;
  Status WriteContent(trace_file::Sink& sink, const SurfaceKey& key,
                      const device::Resource& resource, uint32_t face, uint32_t level) const;

  const device::Device& device_;
  const device::KmtObjects& objects_;
  const Creations& creations_;
  const Part& part_;
  std::string gap_;
  std::set<SurfaceKey> surfaces_;
  KmtSnapshot kmt_;
  std::map<uint64_t, std::vector<trace::Event>> creates_;  // by event that made the object
  std::vector<trace::Event> contexts_;
  std::deque<std::vector<uint8_t>> storage_;  // what calls and packets point to
  std::vector<trace::Event> calls_;           // the state of the contexts
  trace_model::ScratchDevice scratch_;
};

}  // namespace dp2trace::trim
