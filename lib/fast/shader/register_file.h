// The vector registers of a shader as groups of four registers of the machine.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "fast/shader/emitter.h"
#include "shader/program.h"

namespace dp2trace::fast {

// How many registers of the type hold vectors (raster::ShaderRegisters) or masks; 0 for constants and what holds none.
uint32_t VectorRegisterCount(shader::RegisterType type);

class RegisterFile {
 public:
  explicit RegisterFile(Emitter& emitter) : emitter_(&emitter) {}

  // A component to be read. Components that nothing has written yet are 0 from the start of the program on; registers that do not exist
  // are 0.
  Operand Read(shader::RegisterType type, int64_t number, uint32_t component);
  // The register of a component that is about to be written; nothing where it does not exist. `keeps_others`: some lanes keep their
  // value.
  std::optional<uint32_t> Write(shader::RegisterType type, int64_t number, uint32_t component,
                                bool keeps_others);
  // The first of the four registers, which exist. What is about to be written with Write may be computed there.
  uint32_t Place(shader::RegisterType type, uint32_t number) { return At(type, number).first; }
  // The same; something outside of the program fills them before it runs.
  uint32_t Given(shader::RegisterType type, uint32_t number);
  bool Exists(shader::RegisterType type, int64_t number) const;
  // The numbers of those registers of the type that anything has named so far.
  std::vector<uint32_t> Named(shader::RegisterType type) const;

  // Registers that must be 0 before the program runs.
  const std::vector<uint32_t>& zeros() const { return zeros_; }

 private:
  struct Group {
    uint32_t first = 0;
    uint8_t written = 0;  // components that have a value in all lanes
  };
  Group& At(shader::RegisterType type, uint32_t number);
  void SetZero(Group& group, uint32_t component);

  Emitter* emitter_;
  std::map<std::pair<shader::RegisterType, uint32_t>, Group> groups_;
  std::vector<uint32_t> zeros_;
};

}  // namespace dp2trace::fast
