"""Combination: every pair of a server's settings in a few dozen configurations."""

from __future__ import annotations

import math
from typing import Any

from everycase import check, gen
from everycase.arrays import Model, covering_array
from everycase.cli.demos import Scene, source
from everycase.explore import Covering
from everycase.run.render import verdict
from everycase.run.source_text.printer import call

SETTINGS: dict[str, list[Any]] = {
    "protocol": ["http/1.0", "http/1.1", "http/2", "http/3"],
    "encoding": ["identity", "gzip", "brotli", "zstd"],
    "cache": ["none", "memory", "disk"],
    "tls": ["off", "1.2", "1.3"],
    "auth": ["none", "basic", "token", "certificate"],
    "logging": ["off", "errors", "all"],
    "chunked": [False, True],
    "keep_alive": [False, True],
    "trailer": [False, True],
    "workers": [1, 2, 4, 8],
}


def headers_of(protocol: str, chunked: bool, trailer: bool) -> list[str]:
    headers = []
    if chunked and protocol != "http/2":
        headers.append("Transfer-Encoding")
    if trailer:
        headers.append("Trailer")
    return headers


def trailers_need_chunks(**chosen: Any) -> None:
    protocol = chosen["protocol"]
    headers = headers_of(protocol, chosen["chunked"], chosen["trailer"])
    if protocol in ("http/1.0", "http/1.1") and "Trailer" in headers:
        assert "Transfer-Encoding" in headers


def certificates_need_tls(auth: str, tls: str) -> bool:
    return auth != "certificate" or tls != "off"


def demo() -> Scene:
    gens: dict[str, Any] = {name: gen.sampled_from(values) for name, values in SETTINGS.items()}
    report = check(trailers_need_chunks, **gens, explore=Covering(strength=3), database=None, seed=0)
    model = Model(SETTINGS, constraints=[certificates_need_tls])
    pairs = covering_array(model, strength=2)
    triples = covering_array(model, strength=3)
    product = math.prod(len(values) for values in SETTINGS.values())
    found = report.failures[0].arguments if report.failures else {}
    wanted = {name: found.get(name) for name in ("protocol", "chunked", "trailer")}
    return Scene(
        technique="Combination",
        story="Ten settings of a server have far too many combinations to test. A covering array has every pair, or "
        "every triple, of settings in a few rows, and keeps to the constraints. The bug needs three settings at once.",
        code=source(headers_of, trailers_need_chunks),
        outcome=f"{verdict(report)}\n" + call("headers_of", wanted),
        facts=[
            ("all combinations", f"{product:,}"),
            ("rows with every pair", f"{len(pairs):,}"),
            ("rows with every triple", f"{len(triples):,}"),
        ],
        works=report.status == "failed" and len(pairs) < len(triples) < product,
    )
