"""What list, watch and deletecollection requests ask for: selectors, versions, pages."""

from __future__ import annotations

from typing import Final

from crdkit.meta import errors, fieldselectors, labelselectors
from crdkit.meta.errors import FieldError
from crdkit.meta.fieldselectors import FieldSelector
from crdkit.meta.labelselectors import LabelSelector, SelectorError
from crdkit.meta.records import record
from crdkit.meta.status import GroupResource, bad_request, invalid
from crdkit.meta.version import V1_36, KubeVersion
from crdkit.registry.options import flag, integer
from crdkit.registry.request import Query, Request

WATCH_LIST: Final = KubeVersion(1, 34)
"""From here on a watch may ask for the present objects first, and one from no version does so unasked."""
FORM_BEFORE_OPTIONS: Final = V1_36
"""From here on a list or watch that accepts no form of its answer is refused as that before its options are looked at."""

LONG_SELECTOR: Final = 4 * 1024
"""Bytes that are parsed within some 5 ms; a request's line may have a MiB."""
EXACT: Final = "Exact"
NOT_OLDER_THAN: Final = "NotOlderThan"
_KIND: Final = GroupResource("meta.k8s.io", "ListOptions")
_MATCH: Final = "resourceVersionMatch"
_INITIAL: Final = "sendInitialEvents"


@record(frozen=False)
class ListOptions:
    """The options as parsed. ``resource_version`` is as sent; ``match`` and ``initial_events`` are defaulted."""

    labels: LabelSelector
    fields: FieldSelector
    watch: bool = False
    bookmarks: bool = False
    resource_version: str = ""
    match: str = ""
    timeout: int | None = None
    limit: int = 0
    continue_token: str = ""
    initial_events: bool | None = None


def has_long_selector(query: Query) -> bool:
    """Whether it takes long to parse the options."""
    return bool(query) and any(len(query.first(name) or "") > LONG_SELECTOR for name in ("labelSelector", "fieldSelector"))


def list_options(request: Request, kube: KubeVersion) -> ListOptions:
    """Parse, default and check the options: numbers first, then selectors. Raises a `Refusal` where they make no sense.

    Whether the fields of a selector are supported is for the resource to say.
    """
    query = request.query
    timeout, limit = (integer(query, "timeoutSeconds"), integer(query, "limit")) if query else (None, None)
    try:
        labels = labelselectors.parse(query.first("labelSelector") or "", kube)
        fields = fieldselectors.parse(query.first("fieldSelector") or "")
    except SelectorError as error:
        raise bad_request(str(error)) from error
    options = ListOptions(labels, fields, timeout=timeout, limit=limit or 0)
    if query:
        options.watch = flag(query, "watch")
        options.bookmarks = flag(query, "allowWatchBookmarks")
        options.resource_version = query.first("resourceVersion") or ""
        options.match = query.first(_MATCH) or ""
        options.continue_token = query.first("continue") or ""
        options.initial_events = flag(query, _INITIAL) if _INITIAL in query else None
    _default(options, kube)
    found = _check_watch(options, kube) if options.watch else _check_list(options)
    if found:
        raise invalid(_KIND, "", found, kube)
    return options


def _default(options: ListOptions, kube: KubeVersion) -> None:
    """A watch from no version in particular asks for the present objects first."""
    if kube < WATCH_LIST or options.initial_events is not None or options.match:
        return
    if options.watch and options.resource_version in ("", "0"):
        options.initial_events = True
        options.match = NOT_OLDER_THAN


def _check_list(options: ListOptions) -> list[FieldError]:
    found = []
    if match := options.match:
        if not options.resource_version:
            found.append(errors.forbidden(_MATCH, "resourceVersionMatch is forbidden unless resourceVersion is provided"))
        if options.continue_token:
            found.append(errors.forbidden(_MATCH, "resourceVersionMatch is forbidden when continue is provided"))
        if match not in (EXACT, NOT_OLDER_THAN):
            found.append(errors.not_supported(_MATCH, match, [EXACT, NOT_OLDER_THAN, ""]))
        if match == EXACT and options.resource_version == "0":
            found.append(errors.forbidden(_MATCH, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'))
    if options.initial_events is not None:
        found.append(errors.forbidden(_INITIAL, "sendInitialEvents is forbidden for list"))
    return found


def _check_watch(options: ListOptions, kube: KubeVersion) -> list[FieldError]:
    found = []
    match = options.match
    if options.initial_events is not None:
        if match != NOT_OLDER_THAN:
            found.append(errors.forbidden(_MATCH, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"))
        if kube < WATCH_LIST:
            detail = "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled"
            found.append(errors.forbidden(_INITIAL, detail))
    if match:
        if options.initial_events is None:
            found.append(errors.forbidden(_MATCH, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"))
        if match != NOT_OLDER_THAN:
            found.append(errors.not_supported(_MATCH, match, [NOT_OLDER_THAN]))
        if options.continue_token:
            found.append(errors.forbidden(_MATCH, "resourceVersionMatch is forbidden when continue is provided"))
    return found
