"""Running campaigns on the properties of this folder, and comparing what they come to."""

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
    """What must not depend on who was killed, nor on how many workers there are; of some properties or of all."""
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
