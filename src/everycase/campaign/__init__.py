"""Campaigns: the same properties on many cores and machines, for hours, through crashes.

>>> from everycase import campaign
>>> callable(campaign.run)
True
"""

from everycase.campaign.api import read, run
from everycase.campaign.report import CampaignFailure, CampaignReport, PropertyReport, Worker

__all__ = ["CampaignFailure", "CampaignReport", "PropertyReport", "Worker", "read", "run"]
