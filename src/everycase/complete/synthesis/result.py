"""The result of a repair: the patch, how it was found, and what is known of the patched generator."""

from __future__ import annotations

import codecs
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from everycase.complete.synthesis.likelihood import Likelihood
from everycase.complete.synthesis.patch import unified_diff
from everycase.complete.verdict import Verdict
from everycase.errors import InvalidArgument


@dataclass
class Repair:
    """The answer of :func:`everycase.complete.repair`.

    ``status`` is ``"repaired"`` (proved complete), ``"repaired within bounds"`` (no gap is left in the worlds
    looked at, but there is no proof), ``"nothing to repair"`` or ``"not repaired"`` (``diff`` is then a best
    effort, or empty; ``notes`` say which bound was hit and what is missing).
    """

    name: str
    status: str
    file: str
    old: str
    new: str
    verdict: Verdict
    holes: int = 0
    size: int = 0
    """Nodes of the syntax trees that were put in."""
    terms: int = 0
    queries: int = 0
    description: str | None = None
    """The missing values, before the repair."""
    abduction_seconds: float = 0.0
    synthesis_seconds: float = 0.0
    seconds: float = 0.0
    notes: list[str] = field(default_factory=list)
    bound: str | None = None
    """The bound that ended the search before a proof, such as ``--max-cost 40``."""
    likelihoods: list[Likelihood] = field(default_factory=list)
    """How often the repaired generator makes values that it could not make before, for some arguments."""

    @property
    def diff(self) -> str:
        """The change as a unified diff."""
        return unified_diff(self.old, self.new, self.file)

    @property
    def proved(self) -> bool:
        return self.status == "repaired"

    def write(self, path: str | Path) -> None:
        """Put the patch into the file; every other byte stays the same.

        Raises an error if the file is no longer the one that was read.
        """
        path = Path(path)
        raw = path.read_bytes()
        text = raw.decode("utf-8-sig" if raw.startswith(codecs.BOM_UTF8) else "utf-8")
        before, after = self.old.split("\n"), self.new.split("\n")
        lines = text.split("\n")
        if not text.endswith("\n"):  # it was read as if the last line had an end
            before, after = before[:-1], after[:-1]
        if [line.removesuffix("\r") for line in lines] != before:
            raise InvalidArgument(f"{path} changed since it was read; run repair again")
        ending = "\r" if "\r\n" in text else ""
        written: list[str] = []
        for what, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
            written += lines[i:j] if what == "equal" else [line + ending for line in after[k:m]]
        if ending and not lines[-1].endswith("\r"):
            written[-1] = written[-1].removesuffix("\r")
        new = "\n".join(written)
        path.write_bytes((codecs.BOM_UTF8 if raw.startswith(codecs.BOM_UTF8) else b"") + new.encode())

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "name": self.name,
            "status": self.status,
            "diff": self.diff,
            "holes": self.holes,
            "size": self.size,
            "terms": self.terms,
            "queries": self.queries,
            "description": self.description,
            "bound": self.bound,
            "likelihoods": [each.to_json() for each in self.likelihoods],
            "notes": list(self.notes),
            "verdict": self.verdict.to_json(),
            "seconds": round(self.seconds, 3),
        }

    def __str__(self) -> str:
        lines = [f"{self.name}: {self.status}"]
        lines += [f"  {note}" for note in self.notes]
        lines += [f"  {each}" for each in self.likelihoods]
        return "\n".join(lines) + ("\n" + self.diff if self.diff else "")
