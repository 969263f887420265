"""A URL table with planted leaks, for the test that the comparison of worlds sees them."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path

from campaign.models import Ship
from campaign.services.access import Entry
from campaign.urls import urlpatterns as real
from campaign.views.doors import door
from operational.models import Force


@door("player")
def count(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Tell how many forces there are in all."""
    return JsonResponse({"forces": Force.objects.filter(campaign=entry.campaign).count()})


@door("player")
def header(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Tag an answer by the whole truth."""
    names = list(Ship.objects.filter(campaign=entry.campaign).values_list("name", flat=True))
    return HttpResponse("own ships only", headers={"ETag": f'"{len("".join(names))}"'})


@door("player")
def queries(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Ask the database once a hidden force, and say nothing."""
    for force in Force.objects.filter(campaign=entry.campaign):
        force.refresh_from_db()
    return HttpResponse("nothing")


@door("player")
def order(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Number the own forces by their rows among all."""
    rows = enumerate(Force.objects.filter(campaign=entry.campaign).order_by("name"))
    return JsonResponse({row.token: number for number, row in rows if row.side == entry.side.key})


@door("player")
def message(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Refuse a hex because somebody is there."""
    occupied = Force.objects.filter(campaign=entry.campaign, q=0, r=91).exists()
    return HttpResponse("That hex is occupied." if occupied else "Done.")


urlpatterns = [
    path(f"c/<slug:campaign>/planted/{view.__name__}/", view, name=f"planted-{view.__name__}")
    for view in (count, header, queries, order, message)
] + list(real)
