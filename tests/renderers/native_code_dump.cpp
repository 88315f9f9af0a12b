// Writes the machine code of each operation that goes lane by lane, for each instruction set, into the folder ISA.code: scripts/check_kernels.sh
// looks through it.
// usage: native_code_dump FOLDER      exit code: 0, 1 it cannot be written, 77 there is none for this machine
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "fast/machine/isa.h"
#include "fast/native/native_code.h"

using namespace dp2trace::fast;  // NOLINT(google-build-using-namespace): test file

namespace {

// Two of each operation: pieces of one are left to kernels.
Program AllOperations(std::vector<Operand>& results) {
  Program program;
  program.register_count = 4;
  const auto reg = [](uint32_t number) { return Operand::Register(number); };
  for (uint32_t op = 0; op < static_cast<uint32_t>(Op::kCount); ++op) {
    if (ShapeOf(static_cast<Op>(op)) > OpShape::kTernary) continue;
    for (int i = 0; i < 2; ++i) {
      const uint32_t to = program.AddRegister();
      program.Add(static_cast<Op>(op), to, reg(0), reg(1), reg(2));
      results.push_back(reg(to));
    }
    // It ends a piece.
    const uint32_t to = program.AddRegister();
    program.Add(Op::kDerivativeX, to, reg(0));
  }
  return program;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  std::vector<Operand> results;
  const Program program = AllOperations(results);
  bool has_code = false;
  for (const Isa& isa : SupportedIsas()) {
    const auto code = MakeNativeCode(program, results, isa);
    if (code == nullptr) continue;
    has_code = true;
    const std::string path = std::string(argv[1]) + "/" + std::string(isa.name) + ".code";
    std::ofstream out(path, std::ios::binary);
    const auto bytes = code->bytes();
    out.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
    if (!out.flush()) return 1;
    std::printf("%s\n", path.c_str());
  }
  return has_code ? 0 : 77;
}
