#!/usr/bin/env bash
# Runs SQLAlchemy's own tests that speak to a database against a server, by PyMySQL.
#
# usage: sqlalchemy-suite.sh PORT [TEST...]   (127.0.0.1, user root without a password; SQLALCHEMY names another version,
# TEST a file or folder below its test/)
#
# Needs python3 with venv; fetches SQLAlchemy, PyMySQL and pytest with pip into target/sqlalchemy. Makes the databases
# test, test_schema and test_schema_2, and drops what is in them. Ends with the tests that failed and pytest's count; what
# each said stands in target/sqlalchemy/PORT.log.
set -euo pipefail
cd "$(dirname "$0")/.."
port=${1:?usage: sqlalchemy-suite.sh PORT [TEST...]}
shift
version=${SQLALCHEMY:-2.0.58}
work=${CARGO_TARGET_DIR:-target}/sqlalchemy
mkdir -p "$work"
work=$(cd "$work" && pwd)
if [ ! -d "$work/sqlalchemy-$version" ]; then
    python3 -m venv "$work/venv"
    "$work/venv/bin/pip" install --quiet "sqlalchemy==$version" pymysql pytest
    "$work/venv/bin/pip" download --quiet --no-deps --no-binary :all: --dest "$work" "sqlalchemy==$version"
    tar -C "$work" -xf "$work/sqlalchemy-$version.tar.gz"
fi
"$work/venv/bin/python" - "$port" <<'DATABASES'
import sys
import pymysql

cursor = pymysql.connect(host="127.0.0.1", port=int(sys.argv[1]), user="root").cursor()
for name in ("test", "test_schema", "test_schema_2"):
    cursor.execute(f"CREATE DATABASE IF NOT EXISTS {name} CHARACTER SET utf8mb4")
DATABASES
tests=("$@")
if [ ${#tests[@]} -eq 0 ]; then
    tests=(test/dialect/mysql test/dialect/test_suite.py test/engine test/sql test/orm test/ext)
fi
status=0
cd "$work/sqlalchemy-$version"
"$work/venv/bin/pytest" -p no:cacheprovider -o addopts="--tb=short -p warnings -p logging --strict-markers" \
    --maxfail=100000 --backend-only --dropfirst --dburi "mysql+pymysql://root@127.0.0.1:$port/test" -q -rfE \
    "${tests[@]}" > "$work/$port.log" 2>&1 || status=1
sed -n '/short test summary/,$p' "$work/$port.log"
exit $status
