# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""What a Function may say of a unit instead of giving it a value."""


class _Outcome(Exception):
    """Can be returned in the place of a value, or raised for a whole batch of one."""


class _Failure(_Outcome):
    def __init__(self, cause="", code="failed"):
        super().__init__(cause)
        self.cause = cause
        self.code = code


class RecordFailure(_Failure):
    """This unit has failed, for the reason given.

    ``code`` is a short word that stays the same, by which failures are grouped.
    """


class GroupFailure(_Failure):
    """This unit has failed, and what has the same parent is of no use without it."""


class Drop(_Outcome):
    """There is nothing to say of this unit, and nothing is wrong with it."""


DROP = Drop()


def as_outcome(value):
    """Drop, or Drop(), and so on: the class says enough. Other values stay what they are."""
    if isinstance(value, type) and issubclass(value, _Outcome):
        return value()
    return value
