#!/usr/bin/env bash
# Runs Django's own tests of its database layer against a server, by its `mysql` backend and the C client library.
#
# usage: django-suite.sh PORT [APP...]      (127.0.0.1, user root without a password; DJANGO names another version)
#
# Needs python3 with venv, libmariadb-dev and pkg-config; fetches Django and mysqlclient with pip into target/django.
# Ends with a line for each app: OK or FAILED as Django says it.
set -euo pipefail
cd "$(dirname "$0")/.."
port=${1:?usage: django-suite.sh PORT [APP...]}
shift
version=${DJANGO:-5.2.19}
work=${CARGO_TARGET_DIR:-target}/django
mkdir -p "$work"
work=$(cd "$work" && pwd)
if [ ! -d "$work/django-$version" ]; then
    python3 -m venv "$work/venv"
    "$work/venv/bin/pip" install --quiet "django==$version" mysqlclient
    "$work/venv/bin/pip" download --quiet --no-deps --no-binary :all: --dest "$work" "django==$version"
    tar -C "$work" -xf "$work/django-$version.tar.gz"
fi
cat > "$work/django-$version/tests/under_test.py" <<SETTINGS
def database(name):
    return {
        "ENGINE": "django.db.backends.mysql", "NAME": name, "USER": "root", "HOST": "127.0.0.1", "PORT": $port,
        "TEST": {"CHARSET": "utf8mb4", "COLLATION": "utf8mb4_general_ci"},
    }

DATABASES = {"default": database("django_a"), "other": database("django_b")}
SECRET_KEY = "tests"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
USE_TZ = False
SETTINGS
apps=("$@")
if [ ${#apps[@]} -eq 0 ]; then
    read -r -a apps <<< "aggregation aggregation_regress annotations backends basic bulk_create composite_pk \
        constraints custom_columns custom_lookups custom_managers custom_pk datatypes dates datetimes db_functions \
        db_typecasts db_utils defer defer_regress delete delete_regress distinct_on_fields expressions expressions_case \
        expressions_window extra_regress field_defaults fixtures force_insert_update foreign_object from_db_value \
        generic_relations get_or_create indexes inspectdb introspection lookup m2m_through many_to_many many_to_one \
        migrations model_fields model_indexes model_inheritance multiple_database null_queries one_to_one or_lookups \
        ordering prefetch_related queries raw_query reserved_names schema select_for_update select_related serializers \
        string_lookup test_runner timezones transactions transaction_hooks update xor_lookups"
fi
status=0
cd "$work/django-$version/tests"
for app in "${apps[@]}"; do
    log="$work/$app.log"
    "$work/venv/bin/python" runtests.py --settings=under_test --parallel=1 --noinput "$app" > "$log" 2>&1 || status=1
    printf '%-24s %s %s\n' "$app" "$(grep -a '^Ran ' "$log" | tail -1)" "$(grep -aE '^(OK|FAILED)' "$log" | tail -1)"
done
exit $status
