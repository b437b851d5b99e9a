"""`python -m moose` is the command `moose`."""

from __future__ import annotations

import sys

from moose.cli import main

if __name__ == "__main__":
    sys.exit(main())
