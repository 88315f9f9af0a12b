#include "json/builder.h"

#include <doctest/doctest.h>

#include "json/base64.h"
#include "json_texts.h"
#include "support/random.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

std::string FloatText(uint32_t bits) {
  json::Builder text;
  text.FloatBits(bits);
  return text.string();
}

std::string StringText(std::string_view string) {
  json::Builder text;
  text.String(string);
  return text.string();
}

std::string Base64(std::string_view bytes) {
  std::string out;
  json::AppendBase64({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, out);
  return out;
}

// The decoded bytes, or "refused".
std::string Decode(std::string_view text) {
  std::string out(json::MaxDecodedBase64Size(text.size()) + 1, '\0');
  size_t size = 0;
  if (!json::DecodeBase64(text, reinterpret_cast<uint8_t*>(out.data()), size)) return "refused";
  return out.substr(0, size);
}

// The bits that a token's float field holds after reading `number`.
std::string FloatToken(std::string_view number) {
  return CanonicalToken("{\"op\":\"ZRANGE\",\"records\":[{\"min_z\":" + std::string(number) +
                        ",\"max_z\":0}]}");
}

}  // namespace

TEST_CASE("Builder: strings hold nothing that steers a terminal, and are UTF-8") {
  CHECK(StringText("gr\xC3\xBC\xC3\x9F # ## /") == "\"gr\xC3\xBC\xC3\x9F # ## /\"");
  CHECK(StringText("\x7F\xC2\x9B\xE2\x80\xAE") == R"("\u007f\u009b\u202e")");
  CHECK(StringText("##[error]") == R"("\u0023#[error]")");
  CHECK(StringText("a\xFFz\xC3") == R"("a\\xffz\\xc3")");
}

TEST_CASE("Builder: floats are the shortest number, or their bits where no number has them") {
  CHECK(FloatText(0x00000000) == "0");
  CHECK(FloatText(0x80000000) == "-0.0");
  CHECK(FloatText(0x3F800000) == "1");
  CHECK(FloatText(0x3DCCCCCD) == "0.1");
  CHECK(FloatText(0x00000001) == "1e-45");
  CHECK(FloatText(0x7F7FFFFF) == "3.4028235e+38");
  CHECK(FloatText(0x7F800000) == "\"0x7f800000\"");
  CHECK(FloatText(0xFF800000) == "\"0xff800000\"");
  CHECK(FloatText(0x7FC00001) == "\"0x7fc00001\"");
  CHECK(FloatText(0x7F800001) == "\"0x7f800001\"");
}

TEST_CASE("Builder: every float survives the trip bit for bit") {
  Random random(11);
  std::string records;
  for (int i = 0; i < 2000; ++i) {
    // Denormals, anything.
    const uint32_t bits = random.OneIn(4) ? random.U32() & 0x807FFFFF : random.U32();
    if (i != 0) records += ",";
    records += "{\"min_z\":" + FloatText(bits) + ",\"max_z\":" + FloatText(~bits) + "}";
  }
  const std::string token = "{\"op\":\"ZRANGE\",\"records\":[" + records + "]}";
  CHECK(CanonicalToken(token) == token);
}

TEST_CASE("Builder: floats are read from any number in their range and from bits") {
  const auto expected = [](std::string_view number) {
    return "{\"op\":\"ZRANGE\",\"records\":[{\"min_z\":" + std::string(number) + ",\"max_z\":0}]}";
  };
  CHECK(FloatToken("-0") == expected("-0.0"));
  CHECK(FloatToken("-0.0") == expected("-0.0"));
  CHECK(FloatToken("-1") == expected("-1"));
  CHECK(FloatToken("1.000") == expected("1"));
  CHECK(FloatToken("18446744073709551615") == expected("1.8446744e+19"));
  CHECK(FloatToken("1e-60") == expected("0"));
  CHECK(FloatToken("-1e-60") == expected("-0.0"));
  CHECK(FloatToken("\"0x7fc00001\"") == expected("\"0x7fc00001\""));
  CHECK(FloatToken("\"0x3f800000\"") == expected("1"));
  CHECK(FloatToken("1e39") == "JSON-009 /1/commands/0/records/0/min_z");
  CHECK(FloatToken("1e999") == "JSON-009 /1");
  CHECK(FloatToken("true") == "JSON-008 /1/commands/0/records/0/min_z");
}

TEST_CASE("Builder: strings are escaped, UTF-8 is kept") {
  CHECK(StringText("a\"b\\c\b\f\n\r\t\x01\x1F\x7F/") ==
        "\"a\\\"b\\\\c\\b\\f\\n\\r\\t\\u0001\\u001f\\u007f/\"");
  CHECK(StringText("\xC3\xBC\xF0\x9F\x8E\xAE") == "\"\xC3\xBC\xF0\x9F\x8E\xAE\"");
  CHECK(Canonical(R"({"event":"marker","text":"\u00fc\ud83c\udfae\u0000\/"})") ==
        "{\"event\":\"marker\",\"text\":\"\xC3\xBC\xF0\x9F\x8E\xAE\\u0000/\"}");
}

TEST_CASE("Base64: text and bytes are inverse") {
  CHECK(Base64("") == "");
  CHECK(Base64("f") == "Zg==");
  CHECK(Base64("fo") == "Zm8=");
  CHECK(Base64("foo") == "Zm9v");
  CHECK(Base64("\xFF\xFE\xFB") == "//77");
  Random random(5);
  for (size_t size = 0; size < 100; ++size) {
    std::string bytes;
    for (size_t i = 0; i < size; ++i)
      bytes.push_back(static_cast<char>(random.Byte()));
    CHECK(Decode(Base64(bytes)) == bytes);
  }
}

TEST_CASE("Base64: only the one canonical text is accepted") {
  for (const char* text : {"Z", "Zg", "Zg=", "Zg===", "=Zg=", "Zh==", "Zm9=", "Zm 9", "Zm9v\n",
                           "Z===", "====", "Zg==Zg==", "Zm9-"}) {
    CAPTURE(text);
    CHECK(Decode(text) == "refused");
  }
}
