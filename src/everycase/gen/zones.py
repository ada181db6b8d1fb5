"""Time zones by name, from the zoneinfo module."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from everycase.errors import InvalidArgument
from everycase.gen.base import Gen
from everycase.gen.intern import interned
from everycase.gen.kinds import Map
from everycase.gen.scalars import sampled_from
from everycase.gen.show import described
from everycase.gen.validate import require_bool

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo


def timezone_keys(*, allow_prefix: bool = True) -> Gen[str]:
    """Names of time zones that this machine knows, such as ``"Europe/Rome"``; ``"UTC"`` is the simplest.

    ``allow_prefix`` adds those that begin with ``posix/`` and ``right/`` where the machine has them.

    >>> timezone_keys()[0]
    'UTC'
    """
    require_bool("allow_prefix", allow_prefix)
    return _timezone_keys(allow_prefix)


@interned
def _timezone_keys(allow_prefix: bool) -> Gen[str]:
    from zoneinfo import available_timezones

    known = sorted(available_timezones() - {"UTC"})
    if not known:
        raise InvalidArgument(
            "this machine has no time zones; install the package tzdata, or give gen.just(datetime.timezone.utc)"
        )
    if allow_prefix:
        known += [
            f"{prefix}/{name}"
            for prefix in ("posix", "right")
            for name in known
            if _exists(f"{prefix}/{name}")
        ]
    return described(
        sampled_from(["UTC", *known]), "timezone_keys", allow_prefix=None if allow_prefix else False
    )


def _exists(key: str) -> bool:
    from zoneinfo import ZoneInfo

    try:
        ZoneInfo(key)
    except (OSError, ValueError, LookupError):
        return False
    return True


def timezones(*, no_cache: bool = False) -> Gen[ZoneInfo]:
    """Time zones of this machine as ``zoneinfo.ZoneInfo``; UTC is the simplest.

    ``no_cache`` makes a new object each time, which differs from others of the same name.

    >>> timezones()[0]
    zoneinfo.ZoneInfo(key='UTC')
    """
    from zoneinfo import ZoneInfo

    require_bool("no_cache", no_cache)
    make: Any = ZoneInfo.no_cache if no_cache else ZoneInfo
    node: Gen[ZoneInfo] = Map(
        timezone_keys(allow_prefix=False), make, lambda zone: zone.key, share=not no_cache
    )
    return described(node, "timezones", no_cache=no_cache or None)


def is_imaginary(moment: Any) -> bool:
    """Whether a clock in its time zone never shows this datetime: it is skipped when the clocks go forward."""
    if moment.tzinfo is None:
        return False
    from datetime import UTC

    try:
        there_and_back = moment.astimezone(UTC).astimezone(moment.tzinfo)
    except OverflowError:
        return False
    return bool(moment.replace(tzinfo=None) != there_and_back.replace(tzinfo=None))
