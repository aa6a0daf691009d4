"""The cases here are those that other programs are checked against, where these are at hand."""

from __future__ import annotations

from filecmp import dircmp
from pathlib import Path

import pytest

from tests.conformance import CONFORMANCE

ORIGINAL = CONFORMANCE.parents[2] / "shared" / "conformance"


@pytest.mark.skipif(not ORIGINAL.is_dir(), reason=f"the original cases are not at {ORIGINAL}")
@pytest.mark.parametrize("folder", ["cases", "official"])
def test_the_copy_is_complete_and_unchanged(folder: str) -> None:
    assert differences(ORIGINAL / folder, CONFORMANCE / folder) == []


def differences(one: Path, other: Path) -> list[str]:
    """Return what is in one folder alone, or not the same in both."""
    both = dircmp(one, other, ignore=[])
    found = [*both.left_only, *both.right_only, *both.common_funny]
    found += [name for name in both.common_files if (one / name).read_bytes() != (other / name).read_bytes()]
    below = [difference for name in both.common_dirs for difference in differences(one / name, other / name)]
    return [str(one / name) for name in found] + below


def test_differences_are_found(tmp_path: Path) -> None:
    for name, text in (("one/a/same", "1"), ("other/a/same", "1"), ("one/a/changed", "1"), ("one/alone", "")):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "other/a/changed").write_text("2")
    found = differences(tmp_path / "one", tmp_path / "other")
    assert found == [str(tmp_path / "one/alone"), str(tmp_path / "one/a/changed")]
