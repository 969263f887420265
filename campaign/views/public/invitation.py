"""The page behind an invitation link: take the seat with an account one has, or make one."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters

from campaign.forms.people import AccountForm
from campaign.models import Invitation
from campaign.services.seats import invitation_accept, invitation_of
from campaign.views.doors import door


@sensitive_post_parameters("password1", "password2")
@door("public")
def invitation(request: HttpRequest, secret: str) -> HttpResponse:
    """Show what seat the link gives; on POST take it. 404 for a link that does not open any more."""
    offer = invitation_of(secret=secret, now=timezone.now())
    if request.method == "POST" and request.user.is_authenticated:
        return _take(request, secret, offer, request.user)
    form = AccountForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with transaction.atomic():
            user = form.save()
            response = _take(request, secret, offer, user)
        login(request, user, backend="django.contrib.auth.backends.ModelBackend")
        return response
    status = 422 if request.method == "POST" else 200
    response = render(request, "campaign/public/invitation.html", {"offer": offer, "form": form}, status=status)
    response.headers["Cache-Control"] = "no-store"
    return response


def _take(request: HttpRequest, secret: str, offer: Invitation, user: User) -> HttpResponse:
    invitation_accept(secret=secret, user=user, now=timezone.now())
    messages.success(request, f"You have your seat at {offer.campaign.name}.")
    return redirect("campaign-home", offer.campaign.token)
