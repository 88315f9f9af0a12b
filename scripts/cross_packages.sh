#!/usr/bin/env bash
# Builds the packages that the program links, static, for another system, into build/cross/TARGET. The sources are Debian's, of the release
# of this machine; what apt keeps of them lies below build/cross, too. A second run finds everything and does nothing.
# The toolchain file scripts/cmake/toolchains/TARGET.cmake finds what lies there.
# usage: scripts/cross_packages.sh TARGET...     x86_64-w64-mingw32, i686-w64-mingw32, i686-linux-gnu, wasm32-wasi
#        scripts/cross_packages.sh --sources     only fetches the sources
set -euo pipefail
cd "$(dirname "$0")/.."
repository=$PWD
cross=$repository/build/cross
sources=$cross/sources

# Each package by the name of its source. Its function builds it: in the folder of its source, for $target, into $prefix.
packages=(fmtlib libzstd xxhash libdeflate snappy brotli zlib highway cli11 cpp-httplib nlohmann-json3 libstb doctest)

build_fmtlib() { with_cmake . -DFMT_DOC=OFF -DFMT_TEST=OFF -DFMT_OS=OFF; }
build_libzstd() { # nothing here compresses with threads
  with_cmake build/cmake -DZSTD_BUILD_PROGRAMS=OFF -DZSTD_BUILD_TESTS=OFF -DZSTD_BUILD_SHARED=OFF -DZSTD_MULTITHREAD_SUPPORT=OFF
}
build_xxhash() {
  with_cmake cmake_unofficial -DXXHASH_BUILD_XXHSUM=OFF
  write_pc libxxhash -lxxhash
}
build_highway() { with_cmake . -DBUILD_TESTING=OFF -DHWY_ENABLE_TESTS=OFF -DHWY_ENABLE_EXAMPLES=OFF -DHWY_ENABLE_CONTRIB=OFF; }
build_cli11() { with_cmake . -DCLI11_SINGLE_FILE=OFF -DCLI11_BUILD_DOCS=OFF -DCLI11_BUILD_TESTS=OFF -DCLI11_BUILD_EXAMPLES=OFF; }
build_nlohmann-json3() { with_cmake . -DJSON_BuildTests=OFF; }
build_doctest() { with_cmake . -DDOCTEST_WITH_TESTS=OFF; }
build_snappy() {
  # Debian adds a second, always static target of the same name.
  sed -i 's/OUTPUT_NAME snappy)/OUTPUT_NAME snappy_static)/' CMakeLists.txt
  with_cmake . -DSNAPPY_BUILD_TESTS=OFF -DSNAPPY_BUILD_BENCHMARKS=OFF
  write_pc snappy "-lsnappy -lstdc++"
}
build_brotli() { # without its tool; before 1.1 static libraries have another name
  local static=""
  if grep -q -- -static CMakeLists.txt; then static=-static; fi
  configure . -DBROTLI_DISABLE_TESTS=ON
  cmake --build cross --target "brotlidec$static" "brotlienc$static"
  for part in common dec enc; do
    install -m 644 -D "cross/libbrotli$part$static.a" "$prefix/lib/libbrotli$part.a"
  done
  mkdir -p "$prefix/include"
  cp -r c/include/brotli "$prefix/include"
  write_pc libbrotlidec "-lbrotlidec -lbrotlicommon"
  write_pc libbrotlienc "-lbrotlienc -lbrotlicommon"
}
build_zlib() { # Debian leaves out what the DLL needs
  mkdir -p win32
  [ -e win32/zlib1.rc ] || : > win32/zlib1.rc
  configure .
  cmake --build cross --target zlibstatic
  install -m 644 -D cross/libz*.a "$prefix/lib/libz.a"
  install -m 644 -D -t "$prefix/include" zlib.h cross/zconf.h
  write_pc zlib -lz
}
build_libdeflate() {
  if [ -e CMakeLists.txt ]; then
    with_cmake . -DLIBDEFLATE_BUILD_SHARED_LIB=OFF -DLIBDEFLATE_BUILD_GZIP=OFF
    return
  fi
  make -s CC="$compiler" AR="$archiver" STATIC_LIB_SUFFIX=.a CFLAGS="-O2 $flags" libdeflate.a
  install -m 644 -D -t "$prefix/lib" libdeflate.a
  install -m 644 -D -t "$prefix/include" libdeflate.h
  write_pc libdeflate -ldeflate
}
build_cpp-httplib() { # only the header; what it needs of Windows
  install -m 644 -D -t "$prefix/include" httplib.h
  write_pc cpp-httplib "$(case $target in *-mingw32) echo "-lws2_32 -lcrypt32" ;; esac)"
}
build_libstb() { # headers; the library of Debian has what the program compiles itself
  install -m 644 -D -t "$prefix/include" stb_image.h
  write_pc stb ""
}

# configure FOLDER OPTION...: by the package's own CMake files, some of which ask for a CMake that is too old for a new one.
configure() {
  local folder=$1
  shift
  cmake -S "$folder" -B cross -G Ninja -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib \
    -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF -DCMAKE_POLICY_VERSION_MINIMUM=3.5 "$@"
}
with_cmake() {
  configure "$@"
  cmake --build cross
  cmake --install cross
}
# write_pc MODULE LIBRARIES: for packages whose own CMake files write none, or one that names another library.
write_pc() {
  mkdir -p "$prefix/lib/pkgconfig"
  printf 'prefix=%s\nName: %s\nDescription: %s, static\nVersion: %s\nLibs: -L${prefix}/lib %s\nCflags: -I${prefix}/include\n' \
    "$prefix" "$1" "$1" "$(sed "s/^[0-9]*://; s/[-+].*//" <<< "$version")" "$2" > "$prefix/lib/pkgconfig/$1.pc"
}

# The sources, from where this machine has its packages.
fetch_sources() {
  [ "$(cat "$sources/complete" 2> /dev/null)" != "${packages[*]}" ] || return 0
  command -v dpkg-source > /dev/null || {
    echo "cross_packages.sh: there is no dpkg-source (package dpkg-dev; scripts/setup.sh --windows installs it)" >&2
    exit 3
  }
  local apt=$cross/apt
  rm -rf "$sources" "$apt"
  mkdir -p "$sources" "$apt/lists/partial" "$apt/cache/archives/partial"
  apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT) $(LABEL)' "Created-By: Packages" | sort -u |
    while read -r uri release component label; do
      keys=/usr/share/keyrings/${label,,}-archive-keyring.gpg
      case $label in
        Debian | Ubuntu) echo "deb-src $([ ! -e "$keys" ] || echo "[signed-by=$keys]") $uri $release $component" ;;
      esac
    done > "$apt/sources.list"
  local options=(-q -o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts=- -o Dir::State::Lists="$apt/lists"
    -o Dir::Cache="$apt/cache")
  if [ "$(id -u)" -eq 0 ]; then options+=(-o APT::Sandbox::User=root); fi # the folders are root's
  apt-get "${options[@]}" update
  (cd "$sources" && apt-get "${options[@]}" source "${packages[@]}")
  echo "${packages[*]}" > "$sources/complete"
}

# build TARGET
build() {
  local target=$1 prefix=$cross/$1 toolchain=$repository/scripts/cmake/toolchains/$1.cmake flags="" version log
  local compiler=$target-gcc archiver=$target-ar
  [ -e "$toolchain" ] || {
    echo "cross_packages.sh: there is no toolchain of $target" >&2
    exit 2
  }
  case $target in
    i686-*) flags="-msse2 -mfpmath=sse -mstackrealign" ;;
    wasm32-*) compiler="clang-19 --target=$target" archiver=llvm-ar-19 flags=-msimd128 ;;
  esac
  mkdir -p "$prefix/complete"
  for package in "${packages[@]}"; do
    version=$(sed -n 's/^Version: //p' "$sources/${package}"_*.dsc | head -1)
    [ "$(cat "$prefix/complete/$package" 2> /dev/null)" != "$version" ] || continue
    echo "cross_packages.sh: $target: $package $version"
    local work=$cross/work/$target/$package
    log=$work.log
    rm -rf "$work"
    mkdir -p "$work"
    cp -a "$sources/$package"-*/. "$work"
    local status=0
    set +e # within a condition it would have no effect
    (
      set -e
      cd "$work"
      "build_$package"
    ) > "$log" 2>&1
    status=$?
    set -e
    if [ "$status" -ne 0 ]; then
      tail -n 30 "$log" >&2
      echo "cross_packages.sh: $package does not build for $target, see $log" >&2
      exit 1
    fi
    echo "$version" > "$prefix/complete/$package"
    rm -rf "$work"
  done
  # Only headers: those that setup.sh has installed are the same for each target.
  mkdir -p "$prefix/include"
  cp -r /usr/include/toml++ /usr/include/xbyak "$prefix/include"
  version=$(pkg-config --modversion tomlplusplus) write_pc tomlplusplus ""
  # Only static ones are wanted.
  find "$prefix" \( -name '*.dll' -o -name '*.dll.a' -o -name '*.so' -o -name '*.so.*' \) -delete
}

[ $# -gt 0 ] || {
  sed -n 's/^# usage: /usage: /p' "$0" >&2
  exit 2
}
fetch_sources
[ "$1" != --sources ] || exit 0
for target in "$@"; do build "$target"; done
