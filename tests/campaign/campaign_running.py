"""Run campaigns on the properties of this folder, and compare their results."""

from __future__ import annotations

from everycase import campaign

MACHINES = ("covers", "Counter", "Wandering", "Ordered", "Fuse")


def names(*properties):
    """Properties as targets."""
    return [
        f"{'campaign_machines' if name in MACHINES else 'campaign_properties'}:{name}" for name in properties
    ]


def run(tmp_path, *properties, into="c", **options):
    options = {"workers": 2, "seed": 7, **options}
    return campaign.run(names(*properties), tmp_path / into, **options)


def by_name(report):
    return {each.name.partition(":")[2]: each for each in report.properties}


def essence(report, *only):
    """The part of a report that must not depend on kills or on the number of workers; for some properties or for all."""
    return [
        (
            each.name,
            each.verdict,
            each.tests,
            each.discards,
            each.best,
            each.coverage,
            each.exhaustive,
            each.events,
        )
        + tuple((failure.kind, failure.index, failure.input, failure.blob) for failure in each.failures)
        for each in report.properties
        if not only or each.name.partition(":")[2] in only
    ]
