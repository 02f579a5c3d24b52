#!/usr/bin/env bash
# Unpacks a Rust compiler for powerpc64le-unknown-linux-gnu, from Debian's packages, into the folder given: nothing of it is
# installed, since Debian's rustc and its multi-arch libraries do not go beside others. Prints nothing when all is there.
# Says what is missing and ends with 3 where the packages cannot be had.
set -euo pipefail

folder=${1:?usage: power-toolchain.sh FOLDER}
mkdir -p "$folder"
cd "$folder"
skip() { echo "$1" >&2; exit 3; }

command -v powerpc64le-linux-gnu-gcc >/dev/null || skip "no powerpc64le-linux-gnu-gcc: apt-get install gcc-powerpc64le-linux-gnu"
command -v qemu-ppc64le-static >/dev/null || skip "no qemu-ppc64le-static: apt-get install qemu-user-static"
[ ! -e complete ] || exit 0
command -v apt-get >/dev/null || skip "no apt-get: this is no Debian system"

rm -rf debs root && mkdir debs root
uri_of() { (cd / && apt-get --print-uris download "$1" 2>/dev/null) | sed "s/^'\([^']*\)'.*/\1/"; }
std=$(uri_of libstd-rust-web-dev)
case "$std" in *_amd64.deb) ;; *) skip "no package libstd-rust-web-dev for amd64: found '$std'" ;; esac
release=$(basename "$std" | sed 's/^libstd-rust-web-dev_\([0-9]*\.[0-9]*\)\..*/\1/')
# The foreign standard library lies beside the native one; the lists of packages know only the native architecture's.
uris=("$(uri_of rustc-web)" "$(uri_of "libstd-rust-web-$release")" "$std" "${std%_amd64.deb}_ppc64el.deb")
llvm=$(apt-cache depends "libstd-rust-web-$release" 2>/dev/null | sed -n 's/.*Depends: \(libllvm[0-9]*\)$/\1/p' | head -1)
[ -z "$llvm" ] || uris+=("$(uri_of "$llvm")")
for uri in "${uris[@]}"; do
    [ -n "$uri" ] || skip "a package of Rust $release is not in the lists: apt-get update"
    package=debs/$(basename "$uri")
    curl --silent --fail --location --output "$package" "$uri" || skip "cannot fetch $(basename "$uri")"
    dpkg-deb --extract "$package" root
done
LD_LIBRARY_PATH=root/usr/lib/x86_64-linux-gnu root/usr/bin/rustc --version >/dev/null || skip "the compiler unpacked does not run"
rm -rf debs
touch complete
