#!/usr/bin/env bash
# Installs the Debian packages that the tests use beside Rust: MariaDB as the oracle, sysbench, Python for drivers.
# Prints nothing when all are there. Without root and sudo it says what is missing and fails.
set -euo pipefail

packages=(mariadb-server mariadb-client sysbench python3-venv xz-utils)
# For the checksum kernels of other architectures: their tests are skipped where these cannot be had.
wished=(qemu-user-static gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-powerpc64le-linux-gnu libc6-dev-ppc64el-cross)

missing_of() {
    for package in "$@"; do
        state=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
        [ "$state" = installed ] || echo "$package"
    done
}
mapfile -t missing < <(missing_of "${packages[@]}")
mapfile -t missing_wished < <(missing_of "${wished[@]}")
[ $((${#missing[@]} + ${#missing_wished[@]})) -gt 0 ] || exit 0

echo "missing packages: ${missing[*]} ${missing_wished[*]}"
if ! command -v apt-get >/dev/null; then
    [ ${#missing[@]} -gt 0 ] || exit 0
    echo "this is no Debian system: install MariaDB 10.11, its client, sysbench 1.0, Python 3 with venv and xz by hand" >&2
    exit 1
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! sudo --non-interactive true 2>/dev/null; then
        [ ${#missing[@]} -gt 0 ] || exit 0
        echo "not root, and sudo asks for a password; run: sudo apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi
install() {
    [ $# -eq 0 ] || "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install --yes --quiet --no-install-recommends "$@"
}
# Lists of packages may be absent (a fresh container) or stale: fetch them only when they are needed.
update() { "${as_root[@]}" apt-get update --quiet; }
install "${missing[@]}" || { update && install "${missing[@]}"; }
install "${missing_wished[@]}" || { update && install "${missing_wished[@]}"; } ||
    echo "not to be had: ${missing_wished[*]}"
