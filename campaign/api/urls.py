"""Every route of the API, below /api/v1/."""

from __future__ import annotations

from django.urls import include, path, re_path

from campaign.api import paths  # noqa: F401  # binds the kinds of parts
from campaign.api.gm import engagements as battles
from campaign.api.gm import records, seats, truth, turns
from campaign.api.player import campaign, course, engagements, orders, reports
from campaign.api.public import campaigns, nowhere, patrol, rules, ship_classes, sign_in
from campaign.api.public.schema import SchemaDoor

ORDERS = [
    path("", orders.SheetDoor.as_view(), name="api-orders"),
    path("schema/", reports.OrderSchemaDoor.as_view(), name="api-order-schema"),
    path("course/", course.CourseDoor.as_view(), name="api-course"),
    path("check/", orders.CheckDoor.as_view(), name="api-orders-check"),
    path("seal/", orders.SealDoor.as_view(), name="api-orders-seal"),
    path("unseal/", orders.UnsealDoor.as_view(), name="api-orders-unseal"),
]

ENGAGEMENT = [
    path("", engagements.EngagementDoor.as_view(), name="api-engagement"),
    path("bids/", engagements.BidDoor.as_view(), name="api-bids"),
    path("report-schema/", engagements.ReportFormDoor.as_view(), name="api-report-schema"),
    path("reports/", engagements.ReportDoor.as_view(), name="api-reports"),
    path("reports/<digest:digest>/sign/", engagements.SignatureDoor.as_view(), name="api-report-sign"),
]

BATTLE = [
    path("", battles.BattleDoor.as_view(), name="api-gm-engagement"),
    path("close-bidding/", battles.CloseBiddingDoor.as_view(), name="api-gm-close-bidding"),
    path("report/", battles.ResultDoor.as_view(), name="api-gm-report"),
    path("reports/<digest:digest>/rule/", battles.RulingDoor.as_view(), name="api-gm-report-rule"),
    path("void/", battles.VoidDoor.as_view(), name="api-gm-void"),
    path("way/", battles.WayDoor.as_view(), name="api-gm-way"),
]

GM = [
    path("turn/", turns.TurnDoor.as_view(), name="api-gm-turn"),
    path("turn/lock/", turns.LockDoor.as_view(), name="api-gm-lock"),
    path("turn/publish/", turns.PublishDoor.as_view(), name="api-gm-publish"),
    path("turn/amend/", turns.AmendDoor.as_view(), name="api-gm-amend"),
    path("turn/retry/", turns.RetryDoor.as_view(), name="api-gm-retry"),
    path("turn/reopen/", turns.ReopenDoor.as_view(), name="api-gm-reopen"),
    path("turn/deadline/", turns.DeadlineDoor.as_view(), name="api-gm-deadline"),
    path("changes/", turns.ChangesDoor.as_view(), name="api-gm-changes"),
    path("rollback/", turns.RollbackDoor.as_view(), name="api-gm-rollback"),
    path("reveal/", turns.RevealDoor.as_view(), name="api-gm-reveal"),
    path("views/<name:side>/", truth.SideViewDoor.as_view(), name="api-gm-view"),
    path("overview/", truth.OverviewDoor.as_view(), name="api-gm-overview"),
    path("events/", truth.EventsDoor.as_view(), name="api-gm-events"),
    path("rolls/", truth.RollsDoor.as_view(), name="api-gm-rolls"),
    path("verify/", truth.VerifyDoor.as_view(), name="api-gm-verify"),
    path("invitations/", seats.InvitationsDoor.as_view(), name="api-gm-invitations"),
    path("invitations/<digest-start:invitation>/", seats.InvitationDoor.as_view(), name="api-gm-invitation"),
    path("seats/", seats.SeatsDoor.as_view(), name="api-gm-seats"),
    path("seats/<username:username>/", seats.SeatDoor.as_view(), name="api-gm-seat"),
    path("engagements/", battles.BattlesDoor.as_view(), name="api-gm-engagements"),
    path("engagements/<name:engagement>/", include(BATTLE)),
    path("audit/", records.AuditDoor.as_view(), name="api-gm-audit"),
    path("jobs/", records.JobsDoor.as_view(), name="api-gm-jobs"),
]

CAMPAIGN = [
    path("", campaign.CampaignDoor.as_view(), name="api-campaign"),
    path("job/", campaign.JobDoor.as_view(), name="api-job"),
    path("turns/", reports.TurnsDoor.as_view(), name="api-turns"),
    path("report/", reports.ReportDoor.as_view(), name="api-report"),
    path("contacts/", reports.ContactsDoor.as_view(), name="api-contacts"),
    path("forces/", reports.ForcesDoor.as_view(), name="api-forces"),
    path("ships/", reports.ShipsDoor.as_view(), name="api-ships"),
    path("feed/", reports.FeedDoor.as_view(), name="api-feed"),
    path("seeds/<number:turn>/", reports.SeedDoor.as_view(), name="api-seeds"),
    path("orders/", include(ORDERS)),
    path("engagements/", engagements.EngagementsDoor.as_view(), name="api-engagements"),
    path("engagements/<number:number>/", include(ENGAGEMENT)),
    path("gm/", include(GM)),
]

PATROL = [
    path("", patrol.PatrolsDoor.as_view(), name="api-patrols"),
    path("factions/", patrol.PatrolFactionsDoor.as_view(), name="api-patrol-factions"),
    path(
        "invitations/<name:patrol_invitation_secret>/",
        patrol.PatrolInvitationDoor.as_view(),
        name="api-patrol-invitation",
    ),
    path("seats/<name:patrol_secret>/", patrol.PatrolSeatDoor.as_view(), name="api-patrol-seat"),
    path("seats/<name:patrol_secret>/acts/", patrol.PatrolActsDoor.as_view(), name="api-patrol-acts"),
    path("seats/<name:patrol_secret>/papers/", patrol.PatrolPapersDoor.as_view(), name="api-patrol-papers"),
    path("results/<name:patrol_id>/", patrol.PatrolResultDoor.as_view(), name="api-patrol-result"),
    path(
        "results/<name:patrol_id>/papers/",
        patrol.PatrolResultPapersDoor.as_view(),
        name="api-patrol-result-papers",
    ),
]

PROCEDURE = "rules/<name:level>/<name:ruleset>/<name:procedure>/"

urlpatterns = [
    path("token/", sign_in.TokenDoor.as_view(), name="api-token"),
    path("schema/", SchemaDoor.as_view(), name="api-schema"),
    path("rules/", rules.DeskDoor.as_view(), name="api-rules"),
    path("rules/coverage/", rules.CoverageDoor.as_view(), name="api-coverage"),
    path(PROCEDURE, rules.ProcedureDoor.as_view(), name="api-procedure"),
    path("fixtures/", campaigns.FixturesDoor.as_view(), name="api-fixtures"),
    path("invitations/accept/", campaigns.AcceptanceDoor.as_view(), name="api-accept"),
    path("ship-classes/", ship_classes.ShipClassesDoor.as_view(), name="api-ship-classes"),
    path("ship-classes/<name:key>/", ship_classes.ShipClassDoor.as_view(), name="api-ship-class"),
    path("patrol/", include(PATROL)),
    path("campaigns/", campaigns.CampaignsDoor.as_view(), name="api-campaigns"),
    path("campaigns/<name:campaign>/", include(CAMPAIGN)),
    re_path("^.*$", nowhere.NowhereDoor.as_view(), name="api-nowhere"),
]
