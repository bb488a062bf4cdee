"""The compose file and the Kubernetes manifests: what the formats allow, and what we promise of them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from compose_file import interpolated

ASKED = {"POSTGRES_PASSWORD", "QDRANT_API_KEY", "NEO4J_PASSWORD", "VALKEY_PASSWORD", "MCP_AUTH_TOKEN"}
ROOT = Path(__file__).parents[1]
COMPOSE = ROOT / "packages" / "compose" / "compose.yaml"
KUBERNETES = sorted((ROOT / "packages" / "kubernetes").glob("*.yaml"))
MANIFESTS = [(file.name, each) for file in KUBERNETES for each in yaml.safe_load_all(file.read_text("utf-8"))]
NAMES = [f"{name}-{each['kind']}-{each['metadata']['name']}" for name, each in MANIFESTS]
PODS = [each["spec"]["template"]["spec"] for _, each in MANIFESTS if "template" in each.get("spec", {})]
CONTAINERS = [container for pod in PODS for container in pod["containers"]]


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return yaml.safe_load(COMPOSE.read_text("utf-8"))


def test_the_compose_file_is_one_by_the_compose_specification(compose: dict[str, Any]) -> None:
    specification = pytest.importorskip("compose_spec", reason="no wheel of compose-spec for this platform")
    specification.ComposeSpecification.model_validate(compose)
    specification.PyCompose.from_yaml(json.dumps(interpolated(dict.fromkeys(ASKED, "something"))))


def test_without_passwords_compose_refuses_to_start() -> None:
    for name in ASKED:
        with pytest.raises(KeyError, match=name):
            interpolated({each: "something" for each in ASKED if each != name})


def test_all_that_servers_need_is_there_twice_behind_a_balancer(compose: dict[str, Any]) -> None:
    services = compose["services"]
    assert set(services) == {"balancer", "server", "ingest", "postgres", "qdrant", "neo4j", "valkey"}
    assert services["server"]["deploy"]["replicas"] == 2
    assert [name for name, each in services.items() if "ports" in each] == ["balancer"], "nothing else is reachable"
    for each in services.values():
        assert set(each.get("depends_on", ())) <= set(services)
    mounted = {each.split(":")[0] for service in services.values() for each in service.get("volumes", ())}
    assert {each for each in mounted if not each.startswith((".", "$"))} == set(compose["volumes"])
    for each in mounted:
        assert not each.startswith("./") or each == "./docs" or (COMPOSE.parent / each).is_file()


def test_a_server_keeps_nothing_and_may_do_little(compose: dict[str, Any]) -> None:
    server = compose["services"]["server"]
    assert server["read_only"] is True
    assert server["cap_drop"] == ["ALL"]
    assert int(server["user"]) > 0
    assert not [each for each in server["volumes"] if not each.endswith(":ro")]
    names = {"DATABASE_URL", "QDRANT_URL", "NEO4J_URI", "VALKEY_URL", "MCP_AUTH_TOKEN"}
    assert names <= set(server["environment"])
    assert all(server["environment"][name].startswith("/tmp") for name in ("WEKADOCS_DATA", "WEKADOCS_CACHE", "HOME"))


def test_no_password_has_a_value_of_its_own(compose: dict[str, Any]) -> None:
    text = COMPOSE.read_text("utf-8")
    asked = set(re.findall(r"\$\{([A-Z0-9_]+):\?", text))
    assert asked == ASKED
    given = (COMPOSE.parent / "example.env").read_text("utf-8")
    assert set(re.findall(r"(?m)^([A-Z0-9_]+)=$", given)) == asked


def test_every_image_names_its_release(compose: dict[str, Any]) -> None:
    images = [each["image"] for each in compose["services"].values()] + [each["image"] for each in CONTAINERS]
    for image in images:
        tag = image.rstrip("}").rpartition(":")[2]
        assert re.search(r"\d", tag) and tag != "latest", image


@pytest.mark.parametrize("manifest", [each for _, each in MANIFESTS], ids=NAMES)
@pytest.mark.parametrize("version", ["1.29", "1.33"])
def test_a_manifest_is_one_by_kubernetes_own_schemas(manifest: dict[str, Any], version: str) -> None:
    kubernetes_validate = pytest.importorskip("kubernetes_validate")
    kubernetes_validate.validate(manifest, version, strict=True)


@pytest.mark.parametrize("container", CONTAINERS, ids=[each["name"] for each in CONTAINERS])
def test_every_container_is_probed_bounded_and_may_do_little(container: dict[str, Any]) -> None:
    assert {"startupProbe", "readinessProbe", "livenessProbe"} <= set(container)
    assert {"cpu", "memory"} <= set(container["resources"]["limits"])
    assert container["securityContext"]["allowPrivilegeEscalation"] is False
    assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    assert container["securityContext"]["readOnlyRootFilesystem"] is (container["name"] != "neo4j")


@pytest.mark.parametrize("pod", PODS, ids=[each["containers"][0]["name"] for each in PODS])
def test_no_pod_runs_as_root(pod: dict[str, Any]) -> None:
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["automountServiceAccountToken"] is False
    assert pod["enableServiceLinks"] is False, "a service's name must not become a setting"
    (container,) = pod["containers"]
    held = {each["name"] for each in pod.get("volumes", ())} | {"data"}
    assert {each["name"] for each in container["volumeMounts"]} <= held


def test_both_ways_start_the_same_server_with_the_same_names(compose: dict[str, Any]) -> None:
    (server,) = [each for each in CONTAINERS if each["name"] == "server"]
    assert server["args"] == compose["services"]["server"]["command"]
    secret = next(each for _, each in MANIFESTS if each["kind"] == "Secret")["stringData"]
    given = {each["name"] for each in server["env"]}
    assert set(compose["services"]["server"]["environment"]) == given
    assert {each["name"] for each in server["env"] if "valueFrom" in each} <= set(secret)
    assert server["image"] in compose["services"]["server"]["image"]


def test_a_server_that_goes_is_taken_out_of_the_round_first() -> None:
    (server,) = [each for each in CONTAINERS if each["name"] == "server"]
    (pod,) = [each for each in PODS if server in each["containers"]]
    wait = int(server["lifecycle"]["preStop"]["exec"]["command"][1])
    assert 0 < wait < pod["terminationGracePeriodSeconds"]


def test_only_servers_and_ingests_reach_the_stores() -> None:
    (policy,) = [each for _, each in MANIFESTS if each["kind"] == "NetworkPolicy"]
    stores = [each["metadata"]["name"] for _, each in MANIFESTS if each["kind"] == "StatefulSet"]
    (chosen,) = policy["spec"]["podSelector"]["matchExpressions"]
    assert set(chosen["values"]) == set(stores)
    ((allowed,),) = [[each["podSelector"] for each in rule["from"]] for rule in policy["spec"]["ingress"]]
    (apps,) = allowed["matchExpressions"]
    assert (apps["key"], apps["operator"], set(apps["values"])) == ("app", "In", {"wekadocs", "wekadocs-ingest"})
    served = [each for _, each in MANIFESTS if each["kind"] in ("Service", "PodDisruptionBudget", "Deployment")]
    assert "wekadocs-ingest" not in json.dumps(served), "no request is sent to a pod that ingests"


def test_a_database_is_ready_when_it_is_for_others(compose: dict[str, Any]) -> None:
    """While its files are made it answers on a socket that nobody else has."""
    (postgres,) = [each for each in CONTAINERS if each["name"] == "postgres"]
    asked = [compose["services"]["postgres"]["healthcheck"]["test"][1:]]
    asked += [postgres[probe]["exec"]["command"] for probe in ("startupProbe", "readinessProbe", "livenessProbe")]
    assert [each[:3] for each in asked] == [["pg_isready", "-h", "127.0.0.1"]] * 4


def test_a_store_has_time_to_read_what_a_crash_left_and_to_end(compose: dict[str, Any]) -> None:
    for container in CONTAINERS:
        probe = container["startupProbe"]
        least = 120 if container["name"] == "server" else 900
        assert probe["periodSeconds"] * probe["failureThreshold"] >= least, container["name"]
    (qdrant,) = [each for each in CONTAINERS if each["name"] == "qdrant"]
    assert qdrant["livenessProbe"]["httpGet"]["path"] == "/livez", "what is not ready yet is not to be killed"
    stores = [each for name, each in compose["services"].items() if name in ("postgres", "qdrant", "neo4j")]
    assert [each["stop_grace_period"] for each in stores] == ["1m"] * 3


def test_databases_have_the_connections_and_the_memory_that_servers_make_them_use(compose: dict[str, Any]) -> None:
    most = "max_connections=300"
    (postgres,) = [each for each in CONTAINERS if each["name"] == "postgres"]
    assert most in postgres["args"] and most in compose["services"]["postgres"]["command"]
    assert compose["services"]["postgres"]["shm_size"] == "256m"
    assert "/dev/shm" in [each["mountPath"] for each in postgres["volumeMounts"]]


def test_no_log_and_no_temporary_file_fills_a_machine(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        assert service["logging"]["options"] == {"max-size": "10m", "max-file": "3"}, name
        assert all("size=" in each for each in service.get("tmpfs", ())), name


def test_pods_are_held_to_what_they_promise() -> None:
    (space,) = [each for _, each in MANIFESTS if each["kind"] == "Namespace"]
    assert space["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"


def test_what_stores_ask_of_the_secret_is_in_it() -> None:
    secret = next(each for _, each in MANIFESTS if each["kind"] == "Secret")["stringData"]
    for container in CONTAINERS:
        for each in container.get("env", ()):
            reference = each.get("valueFrom", {}).get("secretKeyRef")
            assert reference is None or reference["key"] in secret
