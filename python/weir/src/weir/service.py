"""A client of the hints service: hints, locations and records."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, Optional, TypeVar

from weir import errors, hints, records
from weir._codec import decode, encode
from weir._http import HttpTransport, Operation, Response, Transport, error_text
from weir.hdfs import HadoopConf

T = TypeVar("T")

_TIMEOUT = 90.0
_RETRIES = 5
_IF = ("If-Match", "If-None-Match")
_AWAIT = ("await", "timeout")
_WRITTEN = {200: hints.Written, 202: hints.Written}
_CREATED = {201: hints.Written, **_WRITTEN}

OPERATIONS: Mapping[str, Operation] = {
    "listHintSets": Operation(
        "GET",
        "/v1/hint-sets",
        query=("owner", "prefix", "limit", "after"),
        answers={200: hints.HintSetPage},
    ),
    "putHintSet": Operation(
        "PUT",
        "/v1/hint-sets/{id}",
        query=_AWAIT,
        headers=_IF,
        body=hints.HintSetBody,
        answers=_CREATED,
    ),
    "getHintSet": Operation(
        "GET",
        "/v1/hint-sets/{id}",
        headers=("If-None-Match",),
        answers={200: hints.HintSet, 304: None},
    ),
    "deleteHintSet": Operation(
        "DELETE", "/v1/hint-sets/{id}", headers=("If-Match",), answers={204: None}
    ),
    "patchHintSet": Operation(
        "PATCH",
        "/v1/hint-sets/{id}",
        query=_AWAIT,
        headers=("If-Match",),
        body=hints.HintSetPatch,
        answers=_WRITTEN,
    ),
    "keepAlive": Operation(
        "POST",
        "/v1/hint-sets/{id}:keep-alive",
        query=_AWAIT,
        headers=("If-Match",),
        body=hints.KeepAlive,
        answers=_WRITTEN,
    ),
    "getHint": Operation("GET", "/v1/hints", query=("path",), answers={200: hints.EffectiveHint}),
    "putHint": Operation(
        "PUT",
        "/v1/hints",
        query=("path", *_AWAIT),
        headers=_IF,
        body=hints.Hint,
        answers=_CREATED,
    ),
    "deleteHint": Operation("DELETE", "/v1/hints", query=("path",), answers={204: None}),
    "locate": Operation("POST", "/v1/locations", body=hints.Paths, answers={200: hints.Locations}),
    "rankPlacements": Operation(
        "POST", "/v1/placements:rank", body=hints.RankedPaths, answers={200: hints.Ranking}
    ),
    "inferHints": Operation(
        "POST",
        "/v1/workflows:infer",
        query=("directory", "nodes", "replication", "format"),
        body=dict[str, Any],
        answers={200: hints.InferredRules},
    ),
    "explain": Operation("GET", "/v1/explain", query=("path",), answers={200: hints.Explanation}),
    "getAutoPlan": Operation("GET", "/v1/auto-replication", answers={200: hints.AutoPlan}),
    "exportUseProfile": Operation(
        "GET", "/v1/auto-replication/profile", answers={200: hints.UseProfile}
    ),
    "importUseProfile": Operation(
        "POST",
        "/v1/auto-replication/profile",
        body=hints.UseProfile,
        answers={200: hints.UseProfileSize},
        repeatable=False,
    ),
    "listRuns": Operation(
        "GET", "/v1/runs", query=("owner", "limit", "after"), answers={200: records.RunPage}
    ),
    "putRun": Operation(
        "PUT",
        "/v1/runs/{id}",
        body=records.RunHead,
        answers={200: records.RunPut, 201: records.RunPut},
    ),
    "getRun": Operation("GET", "/v1/runs/{id}", query=("owner",), answers={200: records.Run}),
    "deleteRun": Operation("DELETE", "/v1/runs/{id}", query=("owner",), answers={204: None}),
    "addRecords": Operation(
        "POST",
        "/v1/runs/{id}/records",
        query=("owner",),
        body=records.RunPart,
        answers={200: records.RunPartTaken},
    ),
    "exportRun": Operation(
        "GET", "/v1/runs/{id}/wfformat", query=("owner",), answers={200: records.WfFormat}
    ),
    "getProvenance": Operation(
        "GET", "/v1/provenance", query=("path", "limit"), answers={200: records.Lineage}
    ),
    "listWatchers": Operation("GET", "/v1/watchers", answers={200: hints.Watchers}),
    "getStatus": Operation("GET", "/v1/status", answers={200: hints.ServiceStatus}),
    "getOpenApi": Operation("GET", "/v1/openapi.json", answers={200: dict[str, Any]}),
}
"""What the service can be asked, by the operation's id in its OpenAPI description."""


class HintsService:
    """A client of the hints service. Thread-safe. Retries while the service is unavailable.

    :param urls: addresses of the instances, any of which answers
    :param user: without Kerberos, the name of the caller
    :param headers: added to each request; with Kerberos ``{"Cookie": "hadoop.auth=..."}``
    """

    def __init__(
        self,
        *urls: str,
        user: Optional[str] = None,
        headers: Optional[Mapping[str, str]] = None,
        transport: Optional[Transport] = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if not urls:
            raise ValueError("Give the address of the hints service, such as http://host:9880")
        self._urls = [url.rstrip("/") for url in urls]
        self._user = user
        self._headers = dict(headers or {})
        self._transport: Transport = transport or HttpTransport()
        self._sleep = sleep

    @staticmethod
    def connect(conf_dir: Optional[str] = None, user: Optional[str] = None) -> HintsService:
        """Returns a client of the service that ``weir.server.url`` names in HADOOP_CONF_DIR."""
        urls = [url.strip() for url in HadoopConf.load(conf_dir).get("weir.server.url").split(",")]
        if urls == [""]:
            raise errors.WeirError(
                "weir.server.url is not set in core-site.xml or weir-site.xml: set it, or give the"
                " service's address"
            )
        return HintsService(*urls, user=user)

    def hint_sets(
        self, owner: Optional[str] = None, prefix: Optional[str] = None
    ) -> Iterator[hints.HintSetSummary]:
        """Lists hint sets by id."""
        after: Optional[str] = None
        while True:
            page = self._call(
                "listHintSets", hints.HintSetPage, owner=owner, prefix=prefix, after=after
            )
            yield from page.hint_sets
            after = page.next
            if after is None:
                return

    def put_hint_set(
        self,
        id: str,
        body: hints.HintSetBody,
        *,
        version: Optional[int] = None,
        only_new: bool = False,
        await_applied: Optional[float] = None,
    ) -> hints.Written:
        """Creates or replaces a hint set.

        :param version: write only if the set has this version
        :param only_new: write only if the set does not exist
        :param await_applied: seconds to wait until the NameNode follows the change
        """
        conditions = _conditions(version, only_new)
        return self._call(
            "putHintSet", hints.Written, id, body, conditions, **_awaiting(await_applied)
        )

    def hint_set(self, id: str) -> hints.HintSet:
        """Returns a hint set."""
        return self._call("getHintSet", hints.HintSet, id)

    def delete_hint_set(self, id: str, *, version: Optional[int] = None) -> None:
        """Removes a hint set."""
        self._send("deleteHintSet", id, None, _conditions(version, False))

    def patch_hint_set(
        self,
        id: str,
        patch: hints.HintSetPatch,
        *,
        version: Optional[int] = None,
        await_applied: Optional[float] = None,
    ) -> hints.Written:
        """Adds, replaces and removes rules of a hint set."""
        conditions = _conditions(version, False)
        return self._call(
            "patchHintSet", hints.Written, id, patch, conditions, **_awaiting(await_applied)
        )

    def keep_alive(
        self, id: str, lifetime: str = "", expires: Optional[datetime] = None
    ) -> hints.Written:
        """Changes the expiry of a hint set: ``lifetime`` is a duration such as 12h."""
        return self._call("keepAlive", hints.Written, id, hints.KeepAlive(lifetime, expires))

    def hint(self, path: str) -> hints.EffectiveHint:
        """Returns the hint that applies to a path."""
        return self._call("getHint", hints.EffectiveHint, path=path)

    def put_hint(
        self,
        path: str,
        hint: hints.AnyHint,
        *,
        expires: Optional[datetime] = None,
        await_applied: Optional[float] = None,
    ) -> hints.Written:
        """Sets the hint of a path, or of all files below a directory."""
        body = {"hint": encode(hint)}
        if expires is not None:
            body["expires"] = encode(expires)
        return self._call(
            "putHint", hints.Written, body=body, path=path, **_awaiting(await_applied)
        )

    def delete_hint(self, path: str) -> None:
        """Removes the hint of a path."""
        self._send("deleteHint", path=path)

    def locate(self, *paths: str) -> hints.Locations:
        """Returns the nodes of files, up to 10,000 in a call."""
        return self._call("locate", hints.Locations, body=hints.Paths(paths))

    def rank(self, *paths: str, limit: Optional[int] = None) -> hints.Ranking:
        """Ranks nodes by the bytes that they have, or will have, of files."""
        return self._call("rankPlacements", hints.Ranking, body=hints.RankedPaths(paths, limit))

    def infer(
        self,
        workflow: Mapping[str, Any],
        directory: str,
        nodes: Optional[int] = None,
        replication: Optional[int] = None,
    ) -> hints.InferredRules:
        """Returns the rules that a workflow in WfFormat implies for files in a directory."""
        query: dict[str, Any] = {"directory": directory, "nodes": nodes, "replication": replication}
        return self._call("inferHints", hints.InferredRules, body=dict(workflow), **query)

    def explain(self, path: str) -> hints.Explanation:
        """Returns why a file is where it is."""
        return self._call("explain", hints.Explanation, path=path)

    def auto_plan(self) -> hints.AutoPlan:
        """Returns the planned replicas of files under ``auto``; for administrators."""
        return self._call("getAutoPlan", hints.AutoPlan)

    def export_use_profile(self) -> hints.UseProfile:
        """Returns the counted accesses to files under ``auto``; for administrators."""
        return self._call("exportUseProfile", hints.UseProfile)

    def import_use_profile(self, profile: hints.UseProfile) -> int:
        """Adds a profile to the counted accesses; for administrators.

        A request that may have reached the service is not retried: the service would add the
        accesses a second time.

        :return: the number of files that were added
        """
        return self._call("importUseProfile", hints.UseProfileSize, body=profile).files

    def runs(self, owner: Optional[str] = None) -> Iterator[records.Run]:
        """Lists the runs that the caller may see."""
        after: Optional[str] = None
        while True:
            page = self._call("listRuns", records.RunPage, owner=owner, after=after)
            yield from page.runs
            after = page.next
            if after is None:
                return

    def put_run(self, id: str, head: records.RunHead) -> records.RunPut:
        """Begins a run of another engine, or changes its state."""
        return self._call("putRun", records.RunPut, id, head)

    def run(self, id: str, owner: Optional[str] = None) -> records.Run:
        """Returns a run."""
        return self._call("getRun", records.Run, id, owner=owner)

    def delete_run(self, id: str, owner: Optional[str] = None) -> None:
        """Removes the record of a run."""
        self._send("deleteRun", id, owner=owner)

    def add_records(
        self, id: str, part: records.RunPart, owner: Optional[str] = None
    ) -> records.RunPartTaken:
        """Adds tasks, attempts, files and workers to the record of a run."""
        return self._call("addRecords", records.RunPartTaken, id, part, owner=owner)

    def export_run(self, id: str, owner: Optional[str] = None) -> records.WfFormat:
        """Returns a run in WfFormat."""
        return self._call("exportRun", records.WfFormat, id, owner=owner)

    def provenance(self, path: str, limit: Optional[int] = None) -> records.Lineage:
        """Returns how a file was made."""
        return self._call("getProvenance", records.Lineage, path=path, limit=limit)

    def watchers(self) -> hints.Watchers:
        """Returns the processes that follow hints."""
        return self._call("listWatchers", hints.Watchers)

    def status(self) -> hints.ServiceStatus:
        """Returns the status of the instance that answers."""
        return self._call("getStatus", hints.ServiceStatus)

    def description(self) -> dict[str, Any]:
        """Returns the OpenAPI description of the service."""
        return self._call("getOpenApi", dict[str, Any])

    def _call(
        self,
        name: str,
        kind: type[T],
        id: str = "",
        body: Any = None,
        headers: Optional[Mapping[str, str]] = None,
        **query: Any,
    ) -> T:
        answer = self._send(name, id, body, headers, **query)
        place = f"The answer of the hints service to {name}"
        return decode(kind, answer.json(place), place)

    def _send(
        self,
        name: str,
        id: str = "",
        body: Any = None,
        headers: Optional[Mapping[str, str]] = None,
        **query: Any,
    ) -> Response:
        operation = OPERATIONS[name]
        caller = {} if self._user is None else {"user.name": self._user}
        target = operation.target(id, {**query, **caller})
        data = b"" if body is None else json.dumps(encode(body)).encode()
        sent = {"Content-Type": "application/json", **self._headers, **(headers or {})}
        answer = self._answer(operation, target, sent, data)
        if answer.status in operation.answers:
            return answer
        field = None
        try:
            field = json.loads(answer.body).get("field")
        except (ValueError, AttributeError):
            pass
        raise errors.refusal(answer.status, error_text(answer, "detail"), field)

    def _answer(
        self, operation: Operation, target: str, headers: Mapping[str, str], data: bytes
    ) -> Response:
        """Asks one instance after the other, each up to ``_RETRIES`` times."""
        attempts = 0
        while True:
            url = self._urls[attempts % len(self._urls)]
            attempts += 1
            is_last = attempts == _RETRIES * len(self._urls)
            try:
                answer = self._transport.send(
                    operation.method, url + target, headers, data, _TIMEOUT
                )
            except OSError as e:
                is_unsent = isinstance(e, ConnectionRefusedError)
                if is_last or not (operation.repeatable or is_unsent):
                    raise errors.UnavailableError(
                        503,
                        f"The hints service does not answer at {url}: {e}. Is 'weir server'"
                        " running, and the address right?",
                    ) from e
                pause = 0.3
            else:
                if answer.status != 503 or is_last:
                    return answer
                pause = min(5.0, float(answer.headers.get("retry-after", "1")))
            self._sleep(pause)


def _conditions(version: Optional[int], only_new: bool) -> dict[str, str]:
    conditions = {} if version is None else {"If-Match": f'"{version}"'}
    return {**conditions, **({"If-None-Match": "*"} if only_new else {})}


def _awaiting(seconds: Optional[float]) -> dict[str, Any]:
    return {} if seconds is None else {"await": "applied", "timeout": f"{int(seconds * 1000)}ms"}
