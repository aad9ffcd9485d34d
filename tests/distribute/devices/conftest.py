"""These tests need eight devices: tests/distribute/test_devices.py runs them, in such processes."""

from __future__ import annotations

import os

collect_ignore_glob = [] if os.environ.get("GRADTAPE_TEST_DEVICES") == "8" else ["test_*.py"]
