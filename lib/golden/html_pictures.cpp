#include "golden/html_pictures.h"

#include <fmt/format.h>

#include <utility>

#include "image/compare.h"
#include "image/png.h"

namespace dp2trace::golden {

Status HtmlPictures::PlaceOne(const OutputFolder& folder, const GoldenImage& image,
                              std::string& file, std::string& reason,
                              std::optional<image::Picture>& picture) {
  reason = "The picture lies in none of the given folders.";
  for (const PictureStore& source : sources_) {
    if (!source.Has(image.hash)) continue;
    Result<image::Picture> found = source.Read(image.hash, image.format);
    if (!found.ok()) {
      reason = found.status().diagnostic().message;
      continue;
    }
    file = "pictures/" + PictureStore::FileOf(image.hash);
    reason.clear();
    picture = std::move(*found);
    return placed_.insert(file).second ? folder.Copy(source.PathOf(image.hash), file) : OkStatus();
  }
  return OkStatus();
}

Status HtmlPictures::PlaceDifference(const OutputFolder& folder, const image::Picture& expected,
                                     const image::Picture& actual, const ImageResult& image,
                                     PictureFiles& files) {
  const auto place = [&](std::string_view kind, std::string& file, auto make) {
    file = fmt::format("{}/{}/{}-{}.png", kind, image.expected->hash.substr(0, 2),
                       image.expected->hash, image.actual->hash);
    if (!placed_.insert(file).second) return OkStatus();
    const Result<image::Picture> picture = make(expected, actual);
    if (!picture.ok()) return picture.status();
    const Result<std::vector<uint8_t>> png = image::EncodePng(*picture);
    if (!png.ok()) return png.status();
    return folder.Write(file, {reinterpret_cast<const char*>(png->data()), png->size()});
  };
  DP2TRACE_RETURN_IF_ERROR(place("differences", files.difference, image::AbsoluteDifference));
  return place("heat", files.heat, image::DifferencePicture);
}

Result<PictureFiles> HtmlPictures::Place(const OutputFolder& folder, ImageResult& image) {
  PictureFiles files;
  const bool is_match = image.status == GoldenStatus::kMatch;
  if (is_match && !keeps_matches_) {
    files.no_actual = "It is as expected; pictures that match are not part of this report.";
    files.text = Describe(image);
    return files;
  }
  std::optional<image::Picture> expected;
  std::optional<image::Picture> actual;
  if (image.expected && !is_match) {
    DP2TRACE_RETURN_IF_ERROR(
        PlaceOne(folder, *image.expected, files.expected, files.no_expected, expected));
  }
  if (image.actual) {
    DP2TRACE_RETURN_IF_ERROR(
        PlaceOne(folder, *image.actual, files.actual, files.no_actual, actual));
  }
  if (image.status == GoldenStatus::kDiffer && expected && actual && *expected != *actual) {
    if (!image.comparison) image.comparison = image::Compare(*expected, *actual);
    DP2TRACE_RETURN_IF_ERROR(PlaceDifference(folder, *expected, *actual, image, files));
  }
  files.text = Describe(image);
  return files;
}

}  // namespace dp2trace::golden
