"""Run the command line with ``python -m rankwright.cli``."""

from rankwright.cli import main

if __name__ == "__main__":
    main()
