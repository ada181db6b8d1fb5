"""The recipes of docs/campaigns.md that need other machines: their commands parse, and their files are well-formed."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest
from doc_blocks import blocks

from everycase.cli.campaign import run_command, status_command

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "campaigns.md"


def documents() -> list[Any]:
    return [
        each for block in blocks(PAGE) if block.language == "yaml" for each in yaml.safe_load_all(block.text)
    ]


def commands() -> list[list[str]]:
    """Every command line of everycase's campaigns, in shells, workflows and containers."""
    found = [
        shlex.split(line, comments=True)
        for block in blocks(PAGE)
        for line in re.findall(r"everycase campaign .*", block.text)
    ]
    for document in documents():
        if document["kind" if "kind" in document else "name"] == "Job":
            found.append(document["spec"]["template"]["spec"]["containers"][0]["command"])
    return found


def test_the_commands_parse() -> None:
    names = []
    for _, group, name, *rest in commands():
        assert group == "campaign"
        command = {"run": run_command, "status": status_command}[name]
        with command.make_context(name, rest):
            names.append(name)
    assert names.count("run") > 5 and "status" in names


def test_workflows_run_what_they_install() -> None:
    workflows = [each for each in documents() if "jobs" in each]
    assert [each["name"] for each in workflows] == ["properties", "nightly"]
    for workflow in workflows:
        assert True in workflow  # YAML 1.1 reads the key `on` as True
        for job in workflow["jobs"].values():
            steps = job["steps"]
            assert all(("uses" in step) != ("run" in step) for step in steps)
            runs = [step["run"] for step in steps if "run" in step]
            assert runs[0].startswith("pip install") and runs[1].startswith("everycase campaign run")


def test_the_extras_that_are_installed_exist() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    named = re.findall(r"vendor/everycase\[([a-z,]+)\]", PAGE.read_text())
    assert len(named) > 3
    assert all(extra in extras for each in named for extra in each.split(","))


def test_the_manifest_fits_together() -> None:
    """The worker and the campaign use the name of the scheduler's service, and the labels match."""
    parts = {(each["kind"], each["metadata"]["name"]): each["spec"] for each in documents() if "kind" in each}
    service = parts["Service", "campaign-scheduler"]
    address = f"tcp://campaign-scheduler:{service['ports'][0]['port']}"
    for name in ("campaign-scheduler", "campaign-worker"):
        deployment = parts["Deployment", name]
        assert deployment["selector"]["matchLabels"] == deployment["template"]["metadata"]["labels"]
    assert service["selector"] == parts["Deployment", "campaign-scheduler"]["selector"]["matchLabels"]
    pod = parts["Job", "campaign"]["template"]["spec"]
    assert address in pod["containers"][0]["command"]
    assert address in parts["Deployment", "campaign-worker"]["template"]["spec"]["containers"][0]["command"]
    claim = pod["volumes"][0]["persistentVolumeClaim"]["claimName"]
    assert ("PersistentVolumeClaim", claim) in parts
