"""One first fit in a process of its own: ``python -m benchmarks.first_fit NAME`` prints JSON."""

import json
import os
import sys
import tempfile
import time

DEMO = "rankwright demo"


def main(name: str) -> None:
    # Before anything is imported: an empty cache, which is what makes a fit the first.
    with tempfile.TemporaryDirectory() as folder:
        os.environ["NUMBA_CACHE_DIR"] = folder
        os.chdir(folder)
        from numba.core import event

        import rankwright as rw
        from rankwright.cli.first_fits import FIRST_FITS

        for public in rw.__all__:  # imports are no part of a fit
            getattr(rw, public)
        with event.install_listener("numba:compile", event.RecordingListener()) as compiled:
            start = time.process_time()
            (demo if name == DEMO else FIRST_FITS[name])()
            seconds = time.process_time() - start
        began = [entry for _, entry in compiled.buffer if entry.is_start]
        print(json.dumps({"seconds": seconds, "kernels": len(began), "load": os.getloadavg()[0]}))


def demo() -> None:
    from rankwright.cli.app import app

    app(["demo", "--quiet"], standalone_mode=False)


if __name__ == "__main__":
    main(sys.argv[1])
