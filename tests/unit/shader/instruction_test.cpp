#include "shader/instruction.h"

#include <doctest/doctest.h>

#include <string>

#include "shader/registers.h"

using namespace dp2trace::shader;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("Version: tokens of all languages are read, others refused") {
  Version version;
  CHECK(ReadVersion(0xFFFE0101, version));
  CHECK_FALSE(version.is_pixel);
  CHECK(version.code() == 0x11);
  CHECK(ReadVersion(0xFFFF0104, version));
  CHECK(version.is_pixel);
  CHECK(version.code() == 0x14);
  CHECK(ReadVersion(0xFFFF0201, version));
  CHECK(version.code() == 0x21);
  CHECK(ReadVersion(0xFFFE02FF, version));
  CHECK(version.code() == 0x21);
  CHECK(version.is_software());
  CHECK(ReadVersion(0xFFFE03FF, version));
  CHECK(version.code() == 0x30);
  for (const uint32_t token :
       {0xFFFE0102U, 0xFFFF0105U, 0xFFFF0202U, 0xFFFE0301U, 0xFFFE0400U, 0x0000FFFFU, 0U}) {
    CAPTURE(token);
    CHECK_FALSE(ReadVersion(token, version));
  }
}

TEST_CASE("Instructions: an opcode has the form of the version") {
  const Version ps11 = {true, 1, 1};
  const Version ps14 = {true, 1, 4};
  const Version ps20 = {true, 2, 0};
  CHECK(FindInstruction(66, ps11)->name == "tex");
  CHECK(FindInstruction(66, ps14)->name == "texld");
  CHECK(FindInstruction(66, ps14)->operands == "ds");
  CHECK(FindInstruction(66, ps20)->operands == "dst");
  CHECK(FindInstruction(37, {false, 3, 0})->operands == "dr");
  CHECK(FindInstruction(49, ps20) == nullptr);
  CHECK(FindInstruction(63, ps20) == nullptr);
  CHECK(FindInstruction(75, ps20) == nullptr);
  CHECK(FindInstruction(97, ps20) == nullptr);
}

TEST_CASE("Instructions: the ones that no row has in a version are found, but not in it") {
  const InstructionInfo* sge = FindInstruction(13, {true, 2, 0});
  REQUIRE(sge != nullptr);
  CHECK_FALSE(sge->IsIn({true, 2, 0}));
  CHECK(sge->IsIn({false, 1, 1}));
}

TEST_CASE("Registers: names and numbers are those of the version") {
  const Version vs11 = {false, 1, 1};
  const Version vs30 = {false, 3, 0};
  const Version ps14 = {true, 1, 4};
  CHECK(RegisterName(vs11, RegisterType::kRastOut, kPositionOut) == "oPos");
  CHECK(RegisterName(vs11, RegisterType::kOutput, 3) == "oT3");
  CHECK(RegisterName(vs30, RegisterType::kOutput, 3) == "o3");
  CHECK(RegisterName(ps14, RegisterType::kTexture, 5) == "t5");
  CHECK(RegisterCount(ps14, RegisterType::kTemp) == 6);
  CHECK(RegisterCount({true, 1, 1}, RegisterType::kTemp) == 2);
  CHECK(RegisterCount({true, 2, 0}, RegisterType::kConst) == 32);
  CHECK(RegisterCount({true, 3, 0}, RegisterType::kTexture) == 0);
  CHECK(RegisterCount(vs30, RegisterType::kSampler) == 4);
  CHECK(RegisterCount(vs11, RegisterType::kLoop) == 0);
}
