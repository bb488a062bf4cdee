"""The catalogue: contracts and handlers joined, named as they are served, refusing what does not fit together."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

from wekadocs_contracts.format.contracts import Contract
from wekadocs_contracts.problems import Problem, StartError
from wekadocs_mcp.config.deployment import Config
from wekadocs_mcp.plugins import hook_checks, resource_checks, routes
from wekadocs_mcp.plugins.importing import Plugin

from . import pairing, spelling
from .policy import Offering
from .served import Catalogue

log = logging.getLogger("wekadocs.registry")


def build(
    config: Config, plugins: Sequence[Plugin], contracts: Mapping[str, list[Contract]], strict: bool = True
) -> Catalogue:
    """Join contracts (by plugin) with handlers. Strict: whatever does not fit together is one StartError."""
    catalogue = Catalogue()
    problems: list[Problem | str] = [*hook_checks.problems(plugins)]
    pairs = pairing.pairs(plugins, contracts, problems, catalogue.warnings)
    withheld = {tool: why for plugin in plugins for tool, why in plugin.spec.withheld.items()}
    offering = Offering(config, [contract for contract, _, _ in pairs], withheld)
    for contract, plugin, handler in pairs:
        try:
            tool, found = offering.serve(contract, plugin, handler)
        except StartError as error:
            problems.extend(error.problems)
            continue
        problems.extend([*found, *resource_checks.views(plugin, contract)])
        catalogue.tools.append(tool)
    problems.extend(offering.own_problems())
    problems.extend(resource_checks.problems(plugins))
    problems.extend(routes.problems(plugins))
    spelling.spell_out(catalogue, offering, plugins, problems)
    if problems and strict:
        raise StartError(problems)
    for problem in problems:
        log.warning("%s", problem)
    return catalogue
