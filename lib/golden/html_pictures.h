// The pictures of a golden report: copies of those that a result names, and what differs between two of them.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/output_folder.h"
#include "base/status.h"
#include "golden/result.h"
#include "golden/store.h"
#include "image/picture.h"

namespace dp2trace::golden {

// Files of one picture below the folder of the report; an empty name: there is none.
struct PictureFiles {
  std::string expected;
  std::string actual;
  std::string difference;   // per channel
  std::string heat;         // how far apart, as one colour
  std::string no_expected;  // why it is not there, where it should be
  std::string no_actual;
  std::string text;     // one sentence about the picture
  std::string inspect;  // the page on which one sees its frame being drawn
};

class HtmlPictures {
 public:
  // The pictures are looked for in these, in their order; matching ones are copied only where asked for.
  HtmlPictures(std::vector<PictureStore> sources, bool keeps_matches)
      : sources_(std::move(sources)), keeps_matches_(keeps_matches) {}

  // Copies what the image has; adds the comparison to one that differs and has none yet. Fails only where the folder cannot be written.
  Result<PictureFiles> Place(const OutputFolder& folder, ImageResult& image);
  uint64_t count() const { return placed_.size(); }

 private:
  // `picture` and `file` where a source has it whole, otherwise `reason`.
  Status PlaceOne(const OutputFolder& folder, const GoldenImage& image, std::string& file,
                  std::string& reason, std::optional<image::Picture>& picture);
  Status PlaceDifference(const OutputFolder& folder, const image::Picture& expected,
                         const image::Picture& actual, const ImageResult& image,
                         PictureFiles& files);

  std::vector<PictureStore> sources_;
  bool keeps_matches_;
  std::set<std::string> placed_;  // files
};

}  // namespace dp2trace::golden
