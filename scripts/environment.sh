# Sourced by the other scripts: goes to the root of the project, makes its environment, sets $python.
# Set $extra before, to an optional dependency group of pyproject.toml such as dev, or leave it empty.

cd "$(dirname "$0")/.." || exit 3

for found in python3 python3.11 python3.12 python3.13 python3.14 python; do
    if "$found" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
        python=$("$found" scripts/environment.py "${extra:-}") || exit 3
        return
    fi
done

echo "error: no Python 3.11 or newer was found" >&2
echo "why: tried python3, python3.11 to python3.14 and python on PATH" >&2
echo "next: install Python 3.11 and start again" >&2
exit 3
