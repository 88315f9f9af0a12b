#include "live/beside.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/file.h"
#include "blame/pictures.h"
#include "image/png.h"
#include "json/append.h"
#include "live/loader.h"

namespace dp2trace::live {
namespace {

Result<bool> IsPng(const std::string& path) {
  constexpr std::array<uint8_t, 8> kSignature = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
  Result<InputFile> file = InputFile::Open(path);
  if (!file.ok()) return file.status();
  const Result<Bytes> start = file->Peek(kSignature.size());
  if (!start.ok()) return start.status();
  return std::ranges::equal(*start, kSignature);
}

}  // namespace

Result<Beside> LoadBeside(const BesideFile& file, const std::string& generator, uint64_t max_memory,
                          const import::Progress& progress) {
  const Result<bool> is_png = IsPng(file.path);
  if (!is_png.ok()) return is_png.status();
  if (*is_png) {
    Result<image::Picture> picture = image::ReadPng(file.path, blame::kPictureLimits);
    if (!picture.ok()) return picture.status();
    return Beside{.name = file.name, .picture = std::move(*picture)};
  }
  Result<Loaded> loaded = Load(file.path, file.imported, generator, max_memory, progress);
  if (!loaded.ok()) return loaded.status();
  return Beside{.name = file.name, .trace = loaded->path, .notes = std::move(loaded->notes)};
}

std::string DescriptionOf(const Beside& beside) {
  json::Builder out;
  out.Raw('{');
  json::AppendString(out, "name", beside.name);
  json::AppendString(out, "kind", beside.picture ? "picture" : "trace");
  if (beside.picture) {
    json::AppendNumber(out, "width", beside.picture->width);
    json::AppendNumber(out, "height", beside.picture->height);
  } else {
    json::AppendList(out, "notes", beside.notes,
                     [&out](const std::string& note) { out.String(note); });
  }
  out.Raw('}');
  return std::move(out.string());
}

}  // namespace dp2trace::live
