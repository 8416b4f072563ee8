#!/usr/bin/env bash
# Checks the engine on a GPU in one command, in minutes: tests/gpu/run.sh
#
#   --device gpu|cpu   cpu rehearses the same check where there is no GPU (default gpu)
#   --wheels DIR       install missing packages from this folder, without an index
#   everything else goes to tests/gpu/check.py (--samples, --variants, --work, --report)
#
# PYTHON_HOST names the Python to start from (default python3); packages it has already are used as they are. It builds
# the native module with cargo unless one that loads is there. Exit codes: 0 passed, 1 a check failed, 2 set-up failed.
set -eu -o pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
unset PYTHONDONTWRITEBYTECODE

device=gpu
wheels=""
rest=()
while (($#)); do
  case $1 in
    --device) device=$2 && shift 2 ;;
    --wheels) wheels=$2 && shift 2 ;;
    *) rest+=("$1") && shift ;;
  esac
done

fail() {
  echo "tests/gpu/run.sh: $1" >&2
  exit 2
}

host=${PYTHON_HOST:-python3}
"$host" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "$host is older than Python 3.11; set PYTHON_HOST"

# One environment a Python: it sees the packages of the host's, and gets those that are missing.
environment=${G_GPU_VENV:-${TMPDIR:-/tmp}/g-gpu-$(id -u)-$("$host" -c 'import sys, hashlib; print(hashlib.sha256((sys.prefix + sys.version).encode()).hexdigest()[:8])')}
python=$environment/bin/python
if [[ ! -x $python ]]; then
  echo "== environment $environment"
  "$host" -m venv --without-pip "$environment" || fail "cannot make $environment"
  # A virtual environment does not see the packages of one that it was made from; a path file does.
  "$host" -c 'import site; print(*site.getsitepackages(), sep="\n")' > "$("$python" -c 'import site; print(site.getsitepackages()[0])')/host.pth"
fi

mapfile -t missing < <("$python" tests/gpu/missing_packages.py --device "$device")
if ((${#missing[@]})); then
  echo "== installing ${missing[*]}"
  source=()
  [[ -n $wheels ]] && source=(--no-index --find-links "$wheels")
  "$host" -m pip --python "$python" install --quiet --disable-pip-version-check --constraint constraints.txt "${source[@]}" \
    "${missing[@]}" || fail "packages could not be installed; on a machine without an index use --wheels DIR"
fi

if ! "$python" -c 'import g_core._native' 2>/dev/null; then
  echo "== building the native module"
  command -v cargo >/dev/null || fail "no native module that loads, and no cargo to build one: copy g_core/_native.abi3.so here"
  cargo build --release --quiet --package g-native || fail "the native module does not build"
  cp target/release/lib_native.so g_core/_native.abi3.so
fi

exec "$python" -m tests.gpu.check --device "$device" "${rest[@]}"
