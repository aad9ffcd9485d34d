"""`python -m gradtape` is the command `gradtape`."""

import sys

from gradtape.cli import main

if __name__ == "__main__":
    sys.exit(main())
