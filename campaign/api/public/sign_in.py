"""A token for a name and password, and its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone
from rest_framework.authtoken.models import Token
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from campaign.api.answers import Key
from campaign.api.bodies import SignIn
from campaign.api.doors import Door, operation
from campaign.services.audit import audit_add
from campaign.services.sign_in import person_recognise

if TYPE_CHECKING:
    from rest_framework.authentication import BaseAuthentication


class TokenDoor(Door):
    """The caller's token."""

    audience = {"POST": "public", "DELETE": "person"}

    def get_authenticators(self) -> list[BaseAuthentication]:
        """Ask nobody who signs in for an older token."""
        signing_in = self.request is not None and self.request.method == "POST"
        return [] if signing_in else super().get_authenticators()

    def get_authenticate_header(self, request: Request) -> str:
        """Say how to sign in, even where no token was read."""
        return "Token"

    @operation("Sign in", body=SignIn, answer=Key, refusals=(401, 429))
    def post(self, request: Request, body: SignIn) -> Key:
        """Answer the person's token; the same one until it is ended."""
        user = person_recognise(
            username=body.username, password=body.password, address=request.META.get("REMOTE_ADDR", "")
        )
        if user is None:
            raise AuthenticationFailed("There is no such name and password.")
        with transaction.atomic():
            token, made = Token.objects.get_or_create(user=user)
            if made:
                audit_add(campaign=None, now=timezone.now(), user=user, role="person", act="token-create")
        return Key(token=token.key)

    @operation("End the token", answer=None, status=204)
    def delete(self, request: Request) -> None:
        """Make the caller's token useless at once."""
        with transaction.atomic():
            if Token.objects.filter(user=self.person).delete()[0]:
                audit_add(campaign=None, now=timezone.now(), user=self.person, role="person", act="token-end")
