"""The gallery's tools keep their contracts, and their own tests pass."""

import subprocess
import sys
from pathlib import Path

GALLERY = Path(__file__).parents[1] / "docs" / "sample" / "gallery"


def test_each_tool_of_the_gallery_passes_its_own_tests():
    folders = sorted(path for path in GALLERY.iterdir() if path.is_dir() and path.name != "__pycache__")
    assert len(folders) == 10
    for folder in folders:
        assert [*folder.glob("*.v1.yaml")] and [*folder.glob("test_*.py")], folder
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", str(GALLERY)]
    ran = subprocess.run(command, cwd=GALLERY.parents[2], capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stdout
