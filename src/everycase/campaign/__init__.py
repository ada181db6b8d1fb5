"""Campaigns: the same properties on many cores and machines, for hours, through crashes.

>>> from everycase import campaign
>>> callable(campaign.run)
True

The names are imported on first use: the processes that run tests also import this package, and start faster
without the parts that only a starter needs.
"""

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from everycase.campaign.api import read, run
    from everycase.campaign.report import CampaignFailure, CampaignReport, PropertyReport, Worker

__all__ = ["CampaignFailure", "CampaignReport", "PropertyReport", "Worker", "read", "run"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'everycase.campaign' has no attribute {name!r}")
    from importlib import import_module

    home = "api" if name in ("read", "run") else "report"
    value = getattr(import_module(f"everycase.campaign.{home}"), name)
    globals()[name] = value
    return value
