"""Forms of people: accounts made through an invitation, and invitations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm, UserCreationForm

from campaign.models import Seat
from campaign.services.refusals import TooManyError
from campaign.services.sign_in import person_recognise

if TYPE_CHECKING:
    from campaign.models import Campaign, Side

GM_CHOICE = "gm"


class SignInForm(AuthenticationForm):
    """Name and password; whoever guesses too often waits."""

    def clean(self) -> dict[str, Any]:
        """Recognise the person."""
        name, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if name and password:
            address = self.request.META.get("REMOTE_ADDR", "") if self.request else ""
            try:
                self.user_cache = person_recognise(username=name, password=password, address=address)
            except TooManyError as error:
                raise forms.ValidationError(str(error)) from error
            if self.user_cache is None:
                raise self.get_invalid_login_error()
            self.confirm_login_allowed(self.user_cache)
        return self.cleaned_data


class AccountForm(UserCreationForm):  # type: ignore[type-arg]
    """A new account: name and password, nothing else is asked."""

    class Meta(UserCreationForm.Meta):
        fields = ("username",)


class InvitationForm(forms.Form):
    """Which seat a link gives: a role, and for players the side."""

    seat = forms.ChoiceField(label="Seat")

    def __init__(self, campaign: Campaign, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._sides = {side.key: side for side in campaign.sides.all()}
        roles = (Seat.Role.COMMANDER, Seat.Role.OBSERVER)
        choices = [(f"{role}:{key}", f"{role} of {side.name}") for key, side in self._sides.items() for role in roles]
        seat = self.fields["seat"]
        assert isinstance(seat, forms.ChoiceField)
        seat.choices = [*choices, (GM_CHOICE, "game master")]

    def role_and_side(self) -> tuple[str, Side | None]:
        """Return the role and side chosen in a valid form."""
        role, _, key = self.cleaned_data["seat"].partition(":")
        return role, self._sides.get(key)
