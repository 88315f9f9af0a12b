// Blits that load resources: TEXBLT, VOLUMEBLT, BUFFERBLT. Source: lib/opcode/dp2.md 16.1 to 16.3.
#include <cstring>

#include "device/apply/apply.h"
#include "device/load.h"
#include "device/token.h"

namespace dp2trace::device {
namespace {

using stream::Record;

// Bits of the destination faces that are copied.
uint32_t SelectFaces(const TextureLoad& load) {
  const Resource& source = *load.source.resource;
  const Resource& destination = *load.destination.resource;
  if (!destination.is_cube()) return 1U << load.destination.face;
  const uint32_t named = load.flags >> kCubeFaceShift & kCubeFaceMask;
  const uint32_t wanted = named != 0 ? named : kCubeFaceMask;
  const uint32_t available = source.is_cube() ? source.present_faces : kCubeFaceMask;
  return wanted & available & destination.present_faces;
}

// Twice level 0: the smaller ones of a chain have less than it together.
bool SpendChain(const Token& token, const image::Surface& destination, const ChainCopy& copy) {
  return token.work.Spend(
      2 * StepsOf(destination, {.face = copy.destination_face, .level = 0, .area = copy.area}));
}

void CopyFaces(const Token& token, const Record& record, const TextureLoad& load, ChainCopy copy,
               uint32_t faces) {
  for (uint32_t face = 0; face < image::kCubeFaces; ++face) {
    if ((faces >> face & 1) == 0) continue;
    const bool is_paired = load.source.resource->is_cube() && load.destination.resource->is_cube();
    copy.source_face = is_paired ? face : load.source.face;
    copy.destination_face = face;
    if (!SpendChain(token, load.destination.surface(), copy)) return;
    const Status status = CopyChain(load.source.surface(), load.destination.surface(), copy);
    if (!status.ok()) return token.Report(status, record);
  }
}

void LoadTexture(const Token& token, const Record& record) {
  TextureLoad load;
  const RecordDefects defects = ReadTextureLoad(*token.context.space, record, load);
  token.Report(defects, record);
  if (Refuses(defects) || !load.destination) return;
  ChainCopy copy;
  copy.source_level = load.source_level;
  copy.area = load.area();
  copy.x = static_cast<uint32_t>(load.x);
  copy.y = static_cast<uint32_t>(load.y);
  copy.level_count = load.pair_count;
  CopyFaces(token, record, load, copy, SelectFaces(load));
}

void LoadVolume(const Token& token, const Record& record) {
  VolumeLoad load;
  const RecordDefects defects = ReadVolumeLoad(*token.context.space, record, load);
  token.Report(defects, record);
  if (Refuses(defects) || !load.destination ||
      !SpendChain(token, load.destination.surface(), load.copy))
    return;
  const Status status = CopyChain(load.source.surface(), load.destination.surface(), load.copy);
  if (!status.ok()) token.Report(status, record);
}

void CopyBuffer(const Token& token, const Record& record) {
  BufferCopy copy;
  const RecordDefects defects = ReadBufferCopy(*token.context.space, record, copy);
  if (!defects.empty()) return token.Report(defects, record);
  if (!copy.destination || !token.work.Spend(copy.size)) return;
  std::memmove(copy.destination.bits().bytes + copy.to, copy.source.bits().bytes + copy.from,
               static_cast<size_t>(copy.size));
}

}  // namespace

void ApplyTexBlt(Token& token) {
  for (const Record& record : token.Records())
    LoadTexture(token, record);
}

void ApplyVolumeBlt(Token& token) {
  for (const Record& record : token.Records())
    LoadVolume(token, record);
}

void ApplyBufferBlt(Token& token) {
  for (const Record& record : token.Records())
    CopyBuffer(token, record);
}

}  // namespace dp2trace::device
