"""``everycase sample``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

SOURCE = """
from everycase import gen
words = gen.lists(gen.text("ab"), max_size=4)
number = 3
never = gen.integers().filter(lambda n: False)
broken = gen.integers().map(lambda n: n / 0)
def raises():
    raise LookupError("not there")
def wants(n):
    return gen.integers(0, n)
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "words_to_sample.py"
    path.write_text(SOURCE)
    return str(path)


@pytest.mark.slow
def test_a_picture_as_text_data_and_page(call: Any, file: str, tmp_path: Path) -> None:
    shown = call("sample", f"{file}::words", "--seed", "1")
    assert shown.exit_code == 0
    assert "1,000 values" in shown.output and "length: mean" in shown.output
    data = json.loads(call("sample", f"{file}::words", "--seed", "1", "--count", "50", "--json").output)
    assert data["count"] == sum(data["length"].values()) == 50
    page = tmp_path / "words.html"
    assert call("sample", f"{file}::words", "--html", str(page)).exit_code == 0
    assert "<h3>Examples</h3>" in page.read_text()


@pytest.mark.parametrize("name", ["number", "never", "nothing", "broken", "raises", "wants"])
def test_misuse_is_one_line(call: Any, file: str, name: str) -> None:
    result = call("sample", f"{file}::{name}")
    assert result.exit_code == 2
    assert "Traceback" not in result.output


def test_a_page_that_cannot_be_written(call: Any, file: str) -> None:
    result = call("sample", f"{file}::words", "-n", "20", "--html", str(Path(file) / "page.html"))
    assert result.exit_code == 2 and "cannot be written" in result.output
