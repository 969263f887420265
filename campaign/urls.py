"""Every route of the site."""

from django.urls import URLPattern, URLResolver, include, path

from campaign.views.gm import battles as gm_battles
from campaign.views.gm import changes, desk, record, sides, turn
from campaign.views.gm import fleet as gm_fleet
from campaign.views.gm import history as gm_history
from campaign.views.gm import system_map as gm_map
from campaign.views.player import battles, bridge, contacts, fleet, history, orders, stream, system_map
from campaign.views.public import campaigns, invitation, patrol, patrol_seat, rules_desk, sign_in

PUBLIC: list[URLPattern | URLResolver] = [
    path("", campaigns.campaign_list, name="campaign-list"),
    path("login/", sign_in.login, name="login"),
    path("logout/", sign_in.logout, name="logout"),
    path("password/", sign_in.password_change, name="password-change"),
    path("invitation/<str:secret>/", invitation.invitation, name="invitation"),
    path("campaigns/new/", campaigns.campaign_choose, name="campaign-choose"),
    path("campaigns/new/<slug:folder>/<slug:fixture>/", campaigns.campaign_new, name="campaign-new"),
    path("rules/", rules_desk.rules_desk, name="rules-desk"),
    path("rules/rule/<path:key>/", rules_desk.rule, name="rule"),
    path("rules/<slug:level>/<slug:key>/<str:name>/", rules_desk.procedure, name="procedure"),
]

PATROL: list[URLPattern | URLResolver] = [
    path("", patrol.patrol_new, name="patrol-new"),
    path("join/<str:patrol_invitation_secret>/", patrol.patrol_join, name="patrol-join"),
    path("seat/<str:patrol_secret>/", patrol_seat.seat, name="patrol-seat"),
    path("seat/<str:patrol_secret>/state/", patrol_seat.state, name="patrol-state"),
    path("seat/<str:patrol_secret>/briefing/", patrol_seat.briefing, name="patrol-briefing"),
    path("seat/<str:patrol_secret>/papers/<slug:paper>.pdf", patrol_seat.papers, name="patrol-papers"),
    path("result/<str:patrol_id>/", patrol.patrol_shown, name="patrol-result"),
    path(
        "result/<str:patrol_id>/<slug:of>/<slug:paper>.pdf",
        patrol_seat.result_papers,
        name="patrol-result-papers",
    ),
]

PLAYER: list[URLPattern | URLResolver] = [
    path("", campaigns.campaign_home, name="campaign-home"),
    path("bridge/", bridge.bridge, name="bridge"),
    path("feed/", bridge.feed, name="feed"),
    path("stream/", stream.stream, name="stream"),
    path("map/", system_map.system_map, name="map"),
    path("map/orders/<int:turn>/<str:force>/", system_map.order, name="map-order"),
    path("map/orders/<int:turn>/<str:force>/check/", system_map.order_check, name="map-check"),
    path("orders/", orders.orders, name="orders"),
    path("orders/<int:turn>/", orders.orders_of_turn, name="orders-of-turn"),
    path("orders/<int:turn>/write/", orders.write, name="orders-write"),
    path("orders/<int:turn>/check/", orders.check, name="orders-check"),
    path("orders/<int:turn>/unseal/", orders.unseal, name="orders-unseal"),
    path("contacts/", contacts.contacts, name="contacts"),
    path("fleet/", fleet.fleet, name="fleet"),
    path("fleet/<str:ship>/", fleet.ship, name="ship"),
    path("battles/", battles.battles, name="battles"),
    path("battles/<int:number>/", battles.battle, name="battle"),
    path("battles/<int:number>/bid/", battles.bid, name="battle-bid"),
    path("battles/<int:number>/report/", battles.report, name="battle-report"),
    path("battles/<int:number>/sign/<str:digest>/", battles.sign, name="battle-sign"),
    path("history/", history.history, name="history"),
    path("b/<int:branch>/t/<int:turn>/", history.turn, name="turn"),
    path("b/<int:branch>/t/<int:turn>/map/", system_map.system_map_then, name="map-then"),
]

GM: list[URLPattern | URLResolver] = [
    path("", desk.desk, name="gm-desk"),
    path("progress/<int:turn>/", desk.progress, name="gm-progress"),
    path("turn/<int:turn>/lock/", turn.lock, name="gm-lock"),
    path("turn/<int:turn>/publish/", turn.publish, name="gm-publish"),
    path("turn/<int:turn>/retry/", turn.retry, name="gm-retry"),
    path("turn/<int:turn>/reopen/", turn.reopen, name="gm-reopen"),
    path("turn/<int:turn>/deadline/", turn.deadline, name="gm-deadline"),
    path("change/", changes.change, name="gm-change"),
    path("map/", gm_map.system_map, name="gm-map"),
    path("sides/", sides.sides, name="gm-sides"),
    path("sides/invitations/<int:invitation>/withdraw/", sides.withdraw, name="gm-invitation-withdraw"),
    path("sides/seats/<int:seat>/end/", sides.end, name="gm-seat-end"),
    path("battles/", gm_battles.battles, name="gm-battles"),
    path("battles/<str:engagement>/", gm_battles.battle, name="gm-battle"),
    path("battles/<str:engagement>/close/", gm_battles.close, name="gm-battle-close"),
    path("battles/<str:engagement>/way/", gm_battles.way, name="gm-battle-way"),
    path("battles/<str:engagement>/report/", gm_battles.report, name="gm-battle-report"),
    path("battles/<str:engagement>/rule/<str:digest>/", gm_battles.rule, name="gm-battle-rule"),
    path("battles/<str:engagement>/void/", gm_battles.void, name="gm-battle-void"),
    path("fleet/", gm_fleet.fleet, name="gm-fleet"),
    path("fleet/<str:ship>/", gm_fleet.ship, name="gm-ship"),
    path("history/", gm_history.history, name="gm-history"),
    path("history/rollback/", gm_history.rollback, name="gm-rollback"),
    path("history/b/<int:branch>/t/<int:turn>/", gm_history.turn, name="gm-turn"),
    path("audit/", record.audit, name="gm-audit"),
    path("verify/", record.verify, name="gm-verify"),
    path("finish/", record.finish, name="gm-finish"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/v1/", include("campaign.api.urls")),
    *PUBLIC,
    path("patrol/", include(PATROL)),
    path("c/<slug:campaign>/", include(PLAYER)),
    path("c/<slug:campaign>/gm/", include(GM)),
]
