// Runs the instructions of an execute buffer.
// Source: Microsoft's DirectX 3 and 5 API reference (D3DINSTRUCTION, D3DOPCODE and the structures of its instructions).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/bytes.h"
#include "runtime/ddraw/legacy_device.h"

namespace dp2trace::runtime::ddraw {

// Loads the second texture into the first (TEXTURELOAD). False where it cannot.
using TextureLoader = std::function<bool(Surface& dest, Surface& source)>;

// D3DEXECUTE_UNCLIPPED of IDirect3DDevice::Execute.
inline constexpr uint32_t kExecuteUnclipped = 2;

// Runs the instructions of one buffer on the current viewport of the device.
class ExecuteBufferRun {
 public:
  ExecuteBufferRun(LegacyDevice& device, ExecuteBuffer& buffer, TextureLoader loader,
                   uint32_t flags);
  // False where an instruction could not be done: it is not known, names what is not there, or lies after the end. Those that can be
  // done are.
  bool Run();

 private:
  struct Instruction {
    uint8_t opcode = 0, size = 0;
    uint16_t count = 0;
    size_t records = 0;  // place of the first record in the buffer
  };

  uint32_t Word(size_t at) const { return LoadU32(buffer_.bytes.data() + at); }
  uint16_t Half(size_t at) const { return LoadU16(buffer_.bytes.data() + at); }
  bool RunInstruction(const Instruction& instruction);
  bool RunRecord(const Instruction& instruction, size_t at);
  // Records of PROCESSVERTICES, BRANCHFORWARD and SETSTATUS.
  bool ProcessVertices(size_t at);
  void Branch(size_t at);
  void SetStatus(size_t at);
  bool DrawPrimitives(const Instruction& instruction);
  bool Spend(uint64_t amount);

  LegacyDevice& device_;
  ExecuteBuffer& buffer_;
  TextureLoader loader_;
  bool is_clipped_;               // vertices that were transformed here
  size_t start_ = 0;              // of the instruction that runs
  std::optional<size_t> branch_;  // where to go on instead of the next instruction
  bool is_done_ = false;
  // Vertices and primitives that may still come: what one run can cost is bounded, whatever the records say.
  uint64_t budget_ = uint64_t{1} << 22;
};

}  // namespace dp2trace::runtime::ddraw
