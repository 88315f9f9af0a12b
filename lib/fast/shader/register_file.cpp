#include "fast/shader/register_file.h"

#include "raster/shader/registers.h"

namespace dp2trace::fast {

using shader::RegisterType;

uint32_t VectorRegisterCount(RegisterType type) {
  if (type == RegisterType::kPredicate) return 1;  // masks
  static const raster::ShaderRegisters kRegisters;
  uint32_t count = 0;
  while (kRegisters.Find(type, count) != nullptr)
    ++count;
  return count;
}

bool RegisterFile::Exists(RegisterType type, int64_t number) const {
  return number >= 0 && number < int64_t{VectorRegisterCount(type)};
}

RegisterFile::Group& RegisterFile::At(RegisterType type, uint32_t number) {
  const auto [place, is_new] = groups_.try_emplace({type, number});
  if (is_new) place->second.first = emitter_->program().AddRegisters(4);
  return place->second;
}

void RegisterFile::SetZero(Group& group, uint32_t component) {
  if ((uint32_t{group.written} >> component & 1U) != 0) return;
  group.written = static_cast<uint8_t>(group.written | 1U << component);
  zeros_.push_back(group.first + component);
}

Operand RegisterFile::Read(RegisterType type, int64_t number, uint32_t component) {
  if (!Exists(type, number)) return emitter_->Literal(0.0F);
  Group& group = At(type, static_cast<uint32_t>(number));
  SetZero(group, component);
  return Operand::Register(group.first + component);
}

std::optional<uint32_t> RegisterFile::Write(RegisterType type, int64_t number, uint32_t component,
                                            bool keeps_others) {
  if (!Exists(type, number)) return std::nullopt;
  Group& group = At(type, static_cast<uint32_t>(number));
  if (keeps_others) SetZero(group, component);
  group.written = static_cast<uint8_t>(group.written | 1U << component);
  return group.first + component;
}

uint32_t RegisterFile::Given(RegisterType type, uint32_t number) {
  Group& group = At(type, number);
  group.written = shader::kFullMask;
  return group.first;
}

std::vector<uint32_t> RegisterFile::Named(RegisterType type) const {
  std::vector<uint32_t> numbers;
  for (const auto& [key, group] : groups_) {
    if (key.first == type) numbers.push_back(key.second);
  }
  return numbers;
}

}  // namespace dp2trace::fast
