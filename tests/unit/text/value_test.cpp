#include "text/value.h"

#include <doctest/doctest.h>

#include "trace/events.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

template <class Append, class... Arguments>
std::string Text(Append append, Arguments... arguments) {
  std::string out;
  append(out, arguments...);
  return out;
}

std::string RenderStateText(uint32_t state, uint32_t value, uint32_t runtime_version = 5) {
  return Text([&](std::string& out) {
    text::AppendStateValue(out, d3d::FindRenderState(state), value, runtime_version);
  });
}

}  // namespace

TEST_CASE("AppendFloat: shortest form that reads back, and NaN with its bits") {
  CHECK(Text(text::AppendFloat, 0x3F800000u) == "1");
  CHECK(Text(text::AppendFloat, 0x3DCCCCCDu) == "0.1");
  CHECK(Text(text::AppendFloat, 0x80000000u) == "-0");
  CHECK(Text(text::AppendFloat, 0x7F800000u) == "inf");
  CHECK(Text(text::AppendFloat, 0x7FC00001u) == "nan(0x7fc00001)");
}

TEST_CASE("AppendFlags: names first, unknown bits as one number") {
  CHECK(Text([](std::string& out) { text::AppendFlags(out, trace::kCubeFaceNames, 0); }) == "0");
  const std::string text =
      Text([](std::string& out) { text::AppendFlags(out, trace::kCubeFaceNames, 0x101); });
  CHECK(text == std::string(NameOf(trace::kCubeFaceNames, 1)) + "|0x100");
}

TEST_CASE("AppendFormat: a name, or the number") {
  CHECK(Text(text::AppendFormat, 21u) == "A8R8G8B8");
  CHECK(Text(text::AppendFormat, 0x12345u) == "0x12345");
}

TEST_CASE("AppendStateValue: each value as its state types it") {
  CHECK(RenderStateText(7, 1) == "TRUE");    // ZENABLE is an enumeration or a boolean by generation
  CHECK(RenderStateText(27, 0) == "FALSE");  // ALPHABLENDENABLE
  CHECK(RenderStateText(27, 7) == "TRUE(7)");
  CHECK(RenderStateText(23, 4) == "LESSEQUAL");  // ZFUNC
  CHECK(RenderStateText(23, 99) == "99");
  CHECK(RenderStateText(36, 0x3F000000) == "0.5");        // FOGSTART
  CHECK(RenderStateText(34, 0x80FF0000) == "#80ff0000");  // FOGCOLOR
  CHECK(RenderStateText(300, 5) == "0x00000005");
  CHECK(RenderStateText(154, 0x7FA05000) == "RESZ");  // POINTSIZE
  CHECK(RenderStateText(154, 0x71FF0012) == "R2VB_VS2SM(0x00000012)");
}

TEST_CASE("AppendQuoted: nothing reaches a terminal that could steer it") {
  const auto quoted = [](std::string_view in) {
    return Text([in](std::string& out) { text::AppendQuoted(out, in); });
  };
  CHECK(quoted("a\"b\\c") == R"("a\"b\\c")");
  CHECK(quoted("\x1b[2J\n\t\x7f") == R"("\u001b[2J\n\t\u007f")");
  CHECK(quoted("gr\xC3\xBC\xC3\x9F") == "\"gr\xC3\xBC\xC3\x9F\"");
  CHECK(quoted("\xC2\x9B") == R"("\u009b")");
  CHECK(quoted("\xFF\xC3") == R"("\\xff\\xc3")");
  CHECK(quoted("\xED\xA0\x80") == R"("\\xed\\xa0\\x80")");
}

TEST_CASE("AppendBytes: the size and the first 16 bytes") {
  std::vector<uint8_t> bytes(17, 0xAB);
  CHECK(Text([&](std::string& out) { text::AppendBytes(out, Bytes(bytes).first(1)); }) ==
        "1 byte [ab]");
  CHECK(Text([&](std::string& out) { text::AppendBytes(out, bytes); }) ==
        "17 bytes [ab ab ab ab ab ab ab ab ab ab ab ab ab ab ab ab ...]");
}
