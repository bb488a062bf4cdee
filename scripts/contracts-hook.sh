#!/bin/sh
# A pre-commit hook runs from the clone that pre-commit keeps: the light distribution is installed there once, and no host.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
environment="$top/.venv-contracts"
if [ ! -x "$environment/bin/wekadocs-contracts" ]; then
  python3 -m venv "$environment"
  "$environment/bin/python" -m pip install --quiet --disable-pip-version-check "$top/packages/contracts" >&2
fi
exec "$environment/bin/wekadocs-contracts" "$@"
