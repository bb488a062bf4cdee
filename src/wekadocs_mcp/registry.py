"""The catalogue: contracts and handlers joined, named as they are served, refusing what does not fit together."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

from . import extras, handed, joining, naming, routes
from .config import Config
from .contracts import Contract
from .errors import Problem, StartError
from .offering import Offering
from .plugins import Plugin
from .served import Catalogue

log = logging.getLogger("wekadocs.registry")


def build(
    config: Config, plugins: Sequence[Plugin], contracts: Mapping[str, list[Contract]], strict: bool = True
) -> Catalogue:
    """Join contracts (by plugin) with handlers. Strict: whatever does not fit together is one StartError."""
    catalogue = Catalogue()
    problems: list[Problem | str] = [*handed.problems(plugins)]
    pairs = joining.pairs(plugins, contracts, problems, catalogue.warnings)
    offering = Offering(config, [contract for contract, _, _ in pairs])
    for contract, plugin, handler in pairs:
        try:
            tool, found = offering.serve(contract, plugin, handler)
        except StartError as error:
            problems.extend(error.problems)
            continue
        problems.extend(found)
        catalogue.tools.append(tool)
    problems.extend(offering.own_problems())
    problems.extend(extras.problems(plugins))
    problems.extend(routes.problems(plugins))
    naming.spell_out(catalogue, offering, plugins, problems)
    if problems and strict:
        raise StartError(problems)
    for problem in problems:
        log.warning("%s", problem)
    return catalogue
