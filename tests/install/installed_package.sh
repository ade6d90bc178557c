#!/bin/sh
# Installs the breaker alone, moves the tree elsewhere, and builds and runs the example on it by CMake and by pkg-config.
# From the environment: CMAKE, PKG_CONFIG, CXX, CXXFLAGS (those of the build: a sanitizer must be linked again), BUILD, SOURCE.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  printf '%s\n' "installed_package: $*" >&2
  exit 1
}

# runs PROGRAM: it must say what the example says.
runs() {
  "$1" >"$work/said" || fail "$1 ended with $?"
  grep -q '^call 6: not made, ask again in 30 s$' "$work/said" || fail "$1 said: $(cat "$work/said")"
}

"$CMAKE" --install "$BUILD" --prefix "$work/first" --component breaker >"$work/log" || fail "$(cat "$work/log")"
mv "$work/first" "$work/moved"
if grep -rIl -e "$BUILD" -e "$SOURCE" -e "$work/first" "$work/moved" | grep .; then
  fail "the files above name a place of the machine that built them"
fi
ls "$work/moved"/lib*/*/geobreaker-redis.pc >/dev/null 2>&1 && fail "the component breaker brought redis along"

# By CMake, without anything that the project itself was configured with.
"$CMAKE" -G Ninja -S "$SOURCE/examples/breaker" -B "$work/by-cmake" -DCMAKE_PREFIX_PATH="$work/moved" \
  -DCMAKE_CXX_COMPILER="$CXX" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
"$CMAKE" --build "$work/by-cmake" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
runs "$work/by-cmake/breaker_example"

# A component that is not there is refused by its name.
mkdir "$work/missing"
cat >"$work/missing/CMakeLists.txt" <<'TEXT'
cmake_minimum_required(VERSION 3.25)
project(missing LANGUAGES CXX)
find_package(geobreaker REQUIRED COMPONENTS breaker redis)
TEXT
if "$CMAKE" -G Ninja -S "$work/missing" -B "$work/missing/build" -DCMAKE_PREFIX_PATH="$work/moved" \
  -DCMAKE_CXX_COMPILER="$CXX" >"$work/log" 2>&1; then
  fail "find_package found redis, which is not installed"
fi
tr -s '\n ' ' ' <"$work/log" | grep -q 'component redis needs what is not installed' || fail "$(cat "$work/log")"

# By pkg-config.
folder=$(dirname "$(find "$work/moved" -name geobreaker-breaker.pc)")
flags=$(PKG_CONFIG_PATH=$folder "$PKG_CONFIG" --cflags --libs geobreaker-breaker)
# shellcheck disable=SC2086
"$CXX" -std=c++20 ${CXXFLAGS-} "$SOURCE/examples/breaker/main.cpp" $flags -o "$work/by-pkg-config"
runs "$work/by-pkg-config"
