#!/usr/bin/env bash
# Makes the packages and looks into them.
# usage: package_test.sh CPACK BUILD FOLDER
set -euo pipefail
cpack=$1 build=$2 folder=$3
rm -rf "$folder"
generators=TGZ
if command -v dpkg-deb > /dev/null; then generators="DEB;TGZ"; fi
"$cpack" --config "$build/CPackConfig.cmake" -G "$generators" -B "$folder" > /dev/null
# holds LIST PATH
holds() {
  grep -qE "$2" <<< "$1" || {
    echo "package_test.sh: $2 is not in the package" >&2
    exit 1
  }
}
check() {
  holds "$1" 'usr/bin/dp2trace$'
  holds "$1" 'man/man1/dp2trace-lint\.1(\.gz)?$'
  holds "$1" 'bash-completion/completions/dp2trace$'
  holds "$1" 'lib/([^/]+/)?libdp2trace\.so\.0$'
  holds "$1" 'lib/([^/]+/)?libdp2trace\.a$'
  holds "$1" 'pkgconfig/dp2trace\.pc$'
  holds "$1" 'cmake/dp2trace/dp2trace-config\.cmake$'
  holds "$1" 'include/dp2trace\.h$'
  holds "$1" 'include/dp2trace_capture\.h$'
}
archive=$(tar -tzf "$folder"/*.tar.gz)
holds "$archive" 'bin/dp2trace$'
if [ "$generators" != TGZ ]; then
  check "$(dpkg-deb -c "$folder"/*.deb | awk '{print $6}')"
  dpkg-deb -f "$folder"/*.deb Package | grep -x dp2trace > /dev/null
fi
