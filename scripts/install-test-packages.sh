#!/usr/bin/env bash
# Installs the Debian packages that the tests use beside Rust: MariaDB as the oracle, sysbench, Python for drivers.
# Prints nothing when all are there. Without root and sudo it says what is missing and fails.
set -euo pipefail

packages=(mariadb-server mariadb-client sysbench python3-venv xz-utils)

missing=()
for package in "${packages[@]}"; do
    state=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

echo "missing packages: ${missing[*]}"
if ! command -v apt-get >/dev/null; then
    echo "this is no Debian system: install MariaDB 10.11, its client, sysbench 1.0, Python 3 with venv and xz by hand" >&2
    exit 1
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! sudo --non-interactive true 2>/dev/null; then
        echo "not root, and sudo asks for a password; run: sudo apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi
install() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install --yes --quiet --no-install-recommends "${missing[@]}"
}
# Lists of packages may be absent (a fresh container) or stale: fetch them only when they are needed.
install || { "${as_root[@]}" apt-get update --quiet && install; }
