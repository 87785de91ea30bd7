"""``/metrics`` in Prometheus' text form.

The figures of runs are read from the rows when they are asked for, so that they are
those of the whole installation, whichever process worked; "recent" is the last
quarter of an hour. What is said of the process is that of the server that answers.
"""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Count, Min, Q, Sum
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.utils import timezone
from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.registry import Collector

from conversations import push
from conversations.choices import RUN_OPEN, RunState
from conversations.engine.lease import held
from conversations.models import ModelCall, Run, ToolCall

RECENT = timedelta(minutes=15)
QUANTILES = (0.5, 0.95, 0.99)
# Of the newest of so many rows the quantiles are taken.
SAMPLES = 5000


def metrics(request: HttpRequest) -> HttpResponse:
    """For a bearer of ``METRICS_TOKEN`` and for staff; without a token set, also for
    who asks from this very machine. Others are told there is no such page."""
    if not may_read(request):
        return HttpResponseNotFound()
    registry = CollectorRegistry()
    registry.register(RunsCollector())
    ProcessCollector(registry=registry)
    return HttpResponse(
        generate_latest(registry), content_type=CONTENT_TYPE_PLAIN_0_0_4
    )


def may_read(request: HttpRequest) -> bool:
    if request.user.is_authenticated and request.user.is_staff:
        return True
    if settings.METRICS_TOKEN:
        expected = f"Bearer {settings.METRICS_TOKEN}"
        given = request.headers.get("Authorization", "")
        return hmac.compare_digest(given.encode(), expected.encode())
    return from_this_machine(request)


def from_this_machine(request: HttpRequest) -> bool:
    """A request that a proxy on this machine passes on comes from elsewhere."""
    passed_on = {"X-Forwarded-For", "Forwarded", "X-Real-Ip", "Via"}
    if any(name in request.headers for name in passed_on):
        return False
    try:
        return ipaddress.ip_address(request.META["REMOTE_ADDR"]).is_loopback
    except (KeyError, ValueError):
        return False


class RunsCollector(Collector):
    def collect(self) -> Iterator[Metric]:
        now = timezone.now()
        since = now - RECENT
        yield from runs_now(now)
        yield from runs_recent(since)
        yield from model_calls(since)
        yield labelled(
            "supervisor_tool_calls_recent",
            "Calls of tools asked for recently, by their state.",
            "state",
            ToolCall.objects.filter(created_at__gte=since)
            .order_by()
            .values_list("state")
            .annotate(Count("id")),
        )
        yield GaugeMetricFamily(
            "supervisor_process_runs_held",
            "Runs that this process works on.",
            value=len(held()),
        )
        yield GaugeMetricFamily(
            "supervisor_process_sockets",
            "Pages connected to this process.",
            value=push.open_sockets(),
        )


def runs_now(now: datetime) -> Iterator[Metric]:
    """How many are open in each state, and how long the oldest waits its turn."""
    found: dict[str, int] = dict.fromkeys(RUN_OPEN, 0)
    still = Run.objects.filter(state__in=RUN_OPEN).order_by()
    found.update(still.values_list("state").annotate(Count("id")))
    yield labelled(
        "supervisor_runs", "Runs that are open now, by state.", "state", found.items()
    )
    left = Q(lease_until__isnull=True) | Q(lease_until__lt=now)
    queued = Run.objects.filter(state__in=(RunState.QUEUED, RunState.RESUMING))
    oldest = queued.filter(left).aggregate(at=Min("created_at"))["at"]
    yield GaugeMetricFamily(
        "supervisor_oldest_queued_seconds",
        "Age of the oldest run that no worker has taken; 0 if there is none.",
        value=(now - oldest).total_seconds() if oldest else 0.0,
    )


def runs_recent(since: datetime) -> Iterator[Metric]:
    recent = Run.objects.filter(created_at__gte=since).order_by()
    yield labelled(
        "supervisor_runs_recent",
        "Runs asked for recently, by their state now.",
        "state",
        recent.values_list("state").annotate(Count("id")),
    )
    failed = recent.exclude(error_code="")
    yield labelled(
        "supervisor_run_errors_recent",
        "Runs asked for recently that ended with an error, by its code.",
        "code",
        failed.values_list("error_code").annotate(Count("id")),
    )
    yield quantiles(
        "supervisor_queue_wait_seconds",
        "From a request to the first work on it, recently.",
        recent.filter(started_at__isnull=False)
        .order_by("-created_at")
        .values_list("created_at", "started_at")[:SAMPLES],
    )


def model_calls(since: datetime) -> Iterator[Metric]:
    recent = ModelCall.objects.filter(task_run__started_at__gte=since).order_by()
    yield labelled(
        "supervisor_model_calls_recent",
        "Calls of models recently, by state.",
        "state",
        recent.values_list("state").annotate(Count("id")),
    )
    yield labelled(
        "supervisor_model_errors_recent",
        "Calls of models that failed recently, by the error's code.",
        "code",
        recent.exclude(error_code="").values_list("error_code").annotate(Count("id")),
    )
    newest = recent.order_by("-task_run__started_at")
    yield quantiles(
        "supervisor_model_first_token_seconds",
        "From a model call's start to its first token, recently.",
        newest.filter(first_token_at__isnull=False).values_list(
            "started_at", "first_token_at"
        )[:SAMPLES],
    )
    yield quantiles(
        "supervisor_model_call_seconds",
        "How long whole calls of models took, recently.",
        newest.filter(finished_at__isnull=False).values_list(
            "started_at", "finished_at"
        )[:SAMPLES],
    )
    tokens = recent.aggregate(input=Sum("input_tokens"), output=Sum("output_tokens"))
    yield labelled(
        "supervisor_tokens_recent",
        "Tokens read and written by models recently.",
        "direction",
        ((name, count or 0) for name, count in tokens.items()),
    )


def labelled(
    name: str, text: str, label: str, values: Iterable[tuple[str, int]]
) -> Metric:
    family = GaugeMetricFamily(name, text, labels=[label])
    for value, count in values:
        family.add_metric([value], count)
    return family


def quantiles(
    name: str, text: str, spans: Iterable[tuple[datetime, datetime | None]]
) -> Metric:
    """Of the seconds from the first time to the second; nothing without any."""
    family = GaugeMetricFamily(name, text, labels=["quantile"])
    seconds = sorted(
        max((end - start).total_seconds(), 0.0) for start, end in spans if end
    )
    if seconds:
        for quantile in QUANTILES:
            family.add_metric([str(quantile)], at_quantile(seconds, quantile))
    return family


def at_quantile(ordered: Sequence[float], quantile: float) -> float:
    return ordered[min(int(len(ordered) * quantile), len(ordered) - 1)]
