#include "vertex/math.h"

#include <cmath>

namespace dp2trace::vertex {

Float3 Normalize(const Float3& v) {
  const float square = Dot(v, v);
  if (square == 0) return {};
  const float scale = 1.0F / std::sqrt(square);
  return {v[0] * scale, v[1] * scale, v[2] * scale};
}

Float4 Transform(const Float4& v, const Matrix& m) {
  Float4 result;
  for (size_t j = 0; j < 4; ++j) {
    result[j] = v[0] * m[j] + v[1] * m[4 + j] + v[2] * m[8 + j] + v[3] * m[12 + j];
  }
  return result;
}

Float3 TransformDirection(const Float3& v, const Matrix& m) {
  Float3 result;
  for (size_t j = 0; j < 3; ++j)
    result[j] = v[0] * m[j] + v[1] * m[4 + j] + v[2] * m[8 + j];
  return result;
}

Float3 Transform(const Float3& v, const Matrix3& m) {
  Float3 result;
  for (size_t j = 0; j < 3; ++j)
    result[j] = v[0] * m[j] + v[1] * m[3 + j] + v[2] * m[6 + j];
  return result;
}

Float4 Tween(const Float4& a, const Float4& b, float t) {
  Float4 result;
  for (size_t i = 0; i < 4; ++i)
    result[i] = a[i] + t * (b[i] - a[i]);
  return result;
}

}  // namespace dp2trace::vertex
