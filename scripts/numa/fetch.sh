#!/usr/bin/env bash
# Fetches what a small virtual machine boots, from Debian's packages and without installing it: FOLDER/vmlinuz and
# FOLDER/busybox. Says what is missing and ends with 3 where that cannot be had.
set -euo pipefail

folder=${1:?usage: fetch.sh FOLDER}
mkdir -p "$folder"
cd "$folder"
skip() { echo "$1" >&2; exit 3; }

command -v qemu-system-x86_64 >/dev/null || skip "no qemu-system-x86_64: apt-get install qemu-system-x86"
if [ -s vmlinuz ] && [ -s busybox ]; then exit 0; fi
command -v apt-get >/dev/null || skip "no apt-get: this is no Debian system"
kernel=$(apt-cache depends linux-image-cloud-amd64 2>/dev/null | sed -n 's/.*Depends: \(linux-image-.*\)$/\1/p' | head -1)
[ -n "$kernel" ] || skip "no package linux-image-cloud-amd64 in the lists: apt-get update"
rm -rf root && mkdir root
for package in "$kernel" busybox-static; do
    uri=$(apt-get --print-uris download "$package" 2>/dev/null | sed "s/^'\([^']*\)'.*/\1/")
    curl --silent --fail --location --output package.deb "$uri" || skip "cannot fetch $package"
    dpkg-deb --extract package.deb root
done
mv root/boot/vmlinuz-* vmlinuz
mv root/bin/busybox busybox
rm -rf root package.deb
