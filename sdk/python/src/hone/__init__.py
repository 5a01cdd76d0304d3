"""Client of Hone, the self-hosted workbench for reflection experiments."""

from . import types
from ._async.api import AsyncApi
from ._async.hone import AsyncHone
from ._errors import HoneError
from ._options import CallOptions, FileBody, ServerEvent
from ._prompt import Prompt
from ._result import ExperimentResult
from ._steps import TargetStep
from ._sync.api import Api
from ._sync.hone import Hone
from .target import (
    RetryableError,
    TargetAnswer,
    TargetCase,
    TargetComponent,
    TargetFeedback,
    TargetFunction,
    TargetJob,
    TargetOutput,
    TargetUsage,
)

__all__ = [
    "Api",
    "AsyncApi",
    "AsyncHone",
    "CallOptions",
    "ExperimentResult",
    "FileBody",
    "Hone",
    "HoneError",
    "Prompt",
    "RetryableError",
    "ServerEvent",
    "TargetAnswer",
    "TargetCase",
    "TargetComponent",
    "TargetFeedback",
    "TargetFunction",
    "TargetJob",
    "TargetOutput",
    "TargetStep",
    "TargetUsage",
    "types",
]
