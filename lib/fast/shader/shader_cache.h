// Shaders that were compiled lately: draws that differ only in real constants share what CompileShader() makes.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fast/machine/recent.h"
#include "fast/shader/shader_code.h"
#include "shader/program.h"

namespace dp2trace::fast {

class ShaderCache {
 public:
  // CompileShader() of a program that is kept as long as it is remembered.
  std::shared_ptr<const ShaderCode> Find(const std::shared_ptr<const shader::Program>& program,
                                         const ShaderEnvironment& environment,
                                         const std::vector<WantedOutput>& outputs);

  // Operations of all programs that were compiled.
  uint64_t compiled() const { return compiled_; }

 private:
  struct Entry {
    std::shared_ptr<const shader::Program> program;
    std::vector<uint32_t> key;
    std::shared_ptr<const ShaderCode> code;  // null: only the interpreter runs it
  };

  Recent<Entry, 128> entries_;
  uint64_t compiled_ = 0;
  std::vector<uint32_t> key_;
};

}  // namespace dp2trace::fast
