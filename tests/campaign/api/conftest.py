"""Campaigns and callers that the API's tests share."""

from __future__ import annotations

import pytest

from campaign.models import Campaign
from tests.campaign.api.callers import Caller
from tests.campaign.services.setups import campaign_small, play_turn, small_setup


@pytest.fixture
def war(db: None) -> Campaign:
    """A campaign of two sides after its first turn, the second open."""
    campaign = campaign_small()
    play_turn(campaign, 1)
    return campaign


@pytest.fixture
def meeting(db: None) -> Campaign:
    """A campaign whose two forces met in the first turn."""
    setup = small_setup()
    setup["forces"][1]["at"] = {"A": 20}
    campaign = campaign_small(setup=setup)
    play_turn(campaign, 1)
    return campaign


@pytest.fixture
def gm(db: None) -> Caller:
    """The game master of the campaigns above."""
    return Caller("gm")


@pytest.fixture
def kestra(db: None) -> Caller:
    """The commander of Kestra."""
    return Caller("kestra")


@pytest.fixture
def morvane(db: None) -> Caller:
    """The commander of Morvane."""
    return Caller("morvane")
