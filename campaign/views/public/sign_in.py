"""Signing in and out, and changing one's password."""

from __future__ import annotations

from django.contrib.auth.views import LoginView, LogoutView, PasswordChangeView
from django.urls import reverse_lazy

from campaign.forms.people import SignInForm
from campaign.views.doors import door

login = door("public")(
    LoginView.as_view(  # type: ignore[arg-type]
        template_name="registration/login.html", redirect_authenticated_user=True, authentication_form=SignInForm
    )
)
logout = door("public")(LogoutView.as_view())  # type: ignore[arg-type]
password_change = door("person")(
    PasswordChangeView.as_view(  # type: ignore[arg-type]
        template_name="registration/password.html", success_url=reverse_lazy("campaign-list")
    )
)
