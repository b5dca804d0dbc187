"""The manifests and the code say the same: routes, settings, ports, times, memory."""

import runpy
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from service.settings import Settings, variables
from tests.k8s.manifests import ROOT, Object, Place, amount, matches, named

MIB = 2**20
WORKER_MIB = 96  # a worker at work without streams has 75
FIRST_MIB = 64
STREAM_KIB = 40
SPARE_SECONDS = 5

SECRETS = {
    "REDIS_URL": "rediss://user:password@redis.example:6379/0",
    "SECRET_KEY": "k" * 32,
    "SECRET_KEY_PREVIOUS": "p" * 32,
}


@pytest.fixture
def settings(place: Place, monkeypatch: pytest.MonkeyPatch) -> Settings:
    return accepted(place.environ, monkeypatch)


def accepted(environ: dict[str, str | None], monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Return what the service makes of an environment; a value that it refuses fails the test."""
    for variable in variables().values():
        monkeypatch.delenv(variable.name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, SECRETS[name] if value is None else value)
    return Settings.from_env()


@pytest.fixture
def gunicorn(settings: Settings) -> dict[str, Any]:
    """Return gunicorn's configuration under these settings."""
    assert settings.redis_url
    return runpy.run_path(str(ROOT / "service" / "gunicorn.conf.py"))


def ports(pod: Object) -> dict[str, int]:
    return {
        port["name"]: port["containerPort"]
        for container in pod["spec"]["containers"]
        for port in container["ports"]
    }


def test_every_variable_is_a_setting_and_every_value_is_taken(
    place: Place, settings: Settings
) -> None:
    assert set(place.environ) <= {variable.name for variable in variables().values()}
    assert settings.host == "0.0.0.0"
    assert not settings.sandbox


def test_secrets_come_from_a_secret_that_is_not_kept_here(place: Place) -> None:
    secret = {variable.name for variable in variables().values() if variable.secret}
    assert {name for name, value in place.environ.items() if value is None} == secret
    assert not place.of("Secret")


def test_probes_ask_routes_of_the_service(place: Place) -> None:
    paths = yaml.safe_load((ROOT / "openapi.yaml").read_text())["paths"]
    asked = {
        probe: place.service[f"{probe}Probe"]["httpGet"]["path"]
        for probe in ("startup", "liveness", "readiness")
    }
    assert asked == {"startup": "/livez", "liveness": "/livez", "readiness": "/readyz"}
    assert "503" not in paths["/livez"]["get"]["responses"], "it never asks Redis"
    assert "503" in paths["/readyz"]["get"]["responses"]


def test_probes_wait_longer_than_the_service_waits_for_redis(
    place: Place, settings: Settings
) -> None:
    assert place.service["readinessProbe"]["timeoutSeconds"] > settings.redis_timeout


def test_ports_are_those_that_the_service_listens_at(place: Place, settings: Settings) -> None:
    assert ports(place.service_pod) == {"http": settings.port, "metrics": settings.metrics_port}
    probes = ("startupProbe", "livenessProbe", "readinessProbe")
    assert {place.service[probe]["httpGet"]["port"] for probe in probes} == {"http"}


def test_a_service_leads_to_pods_and_ports_that_there_are(place: Place) -> None:
    for it in place.of("Service"):
        [pod] = chosen(place, {"matchLabels": it["spec"]["selector"]})
        assert {port["targetPort"] for port in it["spec"]["ports"]} <= set(ports(pod))


def test_a_stop_has_the_time_that_it_takes(place: Place, gunicorn: dict[str, Any]) -> None:
    grace = place.service_pod["spec"]["terminationGracePeriodSeconds"]
    sleeps = place.service["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert grace == sleeps + gunicorn["graceful_timeout"] + SPARE_SECONDS


def test_memory_is_enough_for_all_streams_and_all_of_tmp(place: Place, settings: Settings) -> None:
    [tmp] = (it["emptyDir"] for it in place.service_pod["spec"]["volumes"])
    assert tmp["medium"] == "Memory"
    worker = WORKER_MIB * MIB + settings.max_streams * STREAM_KIB * 2**10
    needed = settings.web_concurrency * worker + FIRST_MIB * MIB + amount(tmp["sizeLimit"])
    assert needed <= amount(place.service["resources"]["limits"]["memory"]) <= 1.5 * needed


def test_each_worker_may_have_a_core(place: Place, settings: Settings) -> None:
    assert amount(place.service["resources"]["limits"]["cpu"]) == settings.web_concurrency


def test_no_container_asks_for_more_than_it_may_have(place: Place) -> None:
    for pod in place.templates:
        for container in pod["spec"]["containers"]:
            resources = container["resources"]
            for name, least in resources["requests"].items():
                assert amount(least) <= amount(resources["limits"][name])


def test_pods_are_as_restricted_as_their_namespace_asks(place: Place) -> None:
    [namespace] = place.of("Namespace")
    labels = namespace["metadata"]["labels"]
    assert labels["pod-security.kubernetes.io/enforce"] == "restricted"
    for pod in place.templates:
        who = pod["spec"]["securityContext"]
        assert who["runAsNonRoot"] is True
        assert who["seccompProfile"] == {"type": "RuntimeDefault"}
        for container in pod["spec"]["containers"]:
            may = container["securityContext"]
            assert may["capabilities"] == {"drop": ["ALL"]}
            assert may["readOnlyRootFilesystem"] is True
            assert may["allowPrivilegeEscalation"] is False


def test_the_service_runs_as_the_user_of_the_image(place: Place) -> None:
    who = place.service_pod["spec"]["securityContext"]
    assert f"\nUSER {who['runAsUser']}:{who['runAsGroup']}\n" in (ROOT / "Dockerfile").read_text()


def test_no_pod_holds_a_token_of_the_cluster(place: Place) -> None:
    assert all(pod["spec"]["automountServiceAccountToken"] is False for pod in place.templates)
    assert place.one("ServiceAccount")["automountServiceAccountToken"] is False


def test_the_autoscaler_owns_the_number_of_pods(place: Place) -> None:
    assert "replicas" not in place.one("Deployment")["spec"]
    target = place.one("HorizontalPodAutoscaler")["spec"]["scaleTargetRef"]
    assert (target["kind"], target["name"]) == ("Deployment", "oklahoma-gin")


def test_one_pod_at_a_time_may_be_moved(place: Place) -> None:
    assert place.one("PodDisruptionBudget")["spec"]["maxUnavailable"] == 1


def chosen(place: Place, selector: Object) -> list[Object]:
    return [pod for pod in place.templates if matches(selector, pod["metadata"]["labels"])]


def test_every_selector_chooses_the_pods_it_is_about(place: Place) -> None:
    ours = place.service_pod
    selectors = [place.one("Deployment"), place.one("PodDisruptionBudget")]
    spread = ours["spec"]["topologySpreadConstraints"]
    for selector in (*(it["spec"]["selector"] for it in selectors), *pick(spread, "labelSelector")):
        assert chosen(place, selector) == [ours]
    assert chosen(place, place.one("NetworkPolicy")["spec"]["podSelector"]) == [ours]
    assert sorted(pick(spread, "topologyKey")) == [
        "kubernetes.io/hostname",
        "topology.kubernetes.io/zone",
    ]


def pick(rows: list[Object], name: str) -> list[Any]:
    return [row[name] for row in rows]


def rules(place: Place, pod: Object, way: str) -> Iterator[Object]:
    """Give what the policies of a pod allow one way."""
    for policy in place.of("NetworkPolicy"):
        if matches(policy["spec"]["podSelector"], pod["metadata"]["labels"]):
            yield from policy["spec"].get(way, ())


def test_nothing_comes_in_or_goes_out_unless_a_policy_names_it(place: Place) -> None:
    spec = place.one("NetworkPolicy", "nothing-else")["spec"]
    assert spec == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    for pod in place.templates:
        for rule in rules(place, pod, "ingress"):
            assert rule["from"]
            assert {port["port"] for port in rule["ports"]} <= set(ports(pod))


def test_the_service_reaches_dns_and_redis_and_nothing_else(place: Place) -> None:
    egress = list(rules(place, place.service_pod, "egress"))
    assert all(rule["to"] for rule in egress)
    reached = {(it.get("protocol", "TCP"), it["port"]) for rule in egress for it in rule["ports"]}
    redis = {("TCP", 6379), ("TCP", 26379), ("TCP", "redis")}
    assert {("UDP", 53), ("TCP", 53)} <= reached
    assert reached - redis == {("UDP", 53), ("TCP", 53)}
    assert reached & redis


def test_everything_is_of_one_namespace(place: Place) -> None:
    [namespace] = place.of("Namespace")
    rest = [it for it in place.objects if it is not namespace]
    assert {it["metadata"]["namespace"] for it in rest} == {named(namespace)}


def test_the_image_is_that_of_this_version(place: Place) -> None:
    assert place.service["image"].endswith(f"oklahoma-gin:{version()}")


def version() -> str:
    told: str = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    return told


class TestCompose:
    """The service as ``docker compose`` runs it."""

    @pytest.fixture
    def service(self) -> Object:
        compose = yaml.safe_load((ROOT / "compose.yaml").read_text())
        made: Object = compose["services"]["service"]
        return made

    def test_every_variable_is_a_setting_and_every_value_is_taken(
        self, service: Object, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        environ = {**service["environment"], "SECRET_KEY": None}
        assert set(environ) <= {variable.name for variable in variables().values()}
        port = accepted(environ, monkeypatch).port
        assert service["ports"] == [f"127.0.0.1:{port}:{port}"]

    def test_a_stop_has_the_time_that_it_takes(
        self, service: Object, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        accepted({"REDIS_URL": None, "SECRET_KEY": None}, monkeypatch)
        gunicorn = runpy.run_path(str(ROOT / "service" / "gunicorn.conf.py"))
        grace = int(service["stop_grace_period"].removesuffix("s"))
        assert grace == gunicorn["graceful_timeout"] + SPARE_SECONDS

    def test_the_image_is_that_of_this_version(self, service: Object) -> None:
        assert service["image"] == f"oklahoma-gin:{version()}"

    def test_it_has_no_rights_and_writes_nowhere_but_in_memory(self, service: Object) -> None:
        assert service["read_only"] is True
        assert service["tmpfs"] == ["/tmp"]
        assert service["cap_drop"] == ["ALL"]
