"""What a command that sets up a deployment needs of the host: its configuration once written, and the clients here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wekadocs_mcp.config.deployment import Config, load
from wekadocs_mcp.plugins import discovery

from .install import installing
from .install.clients import CLIENTS, Client


def read_config(path: Path | None, data_dir: Path | None = None) -> Config:
    """The deployment that this tools.yaml makes, with every plugin's settings checked and with their defaults."""
    config = load(path, data_dir)
    config.plugins.update({spec.name: spec.settings for spec in discovery.find(config)})
    return config


@dataclass(frozen=True)
class ClientFile:
    """The configuration file of a client that is used on this machine."""

    client: str
    file: Path

    @classmethod
    def found(cls) -> list[ClientFile]:
        """Of each client that has been started here: its file is there, or the folder that is only its own."""
        places = [(name, client.file()) for name, client in CLIENTS.items() if client.file and client.may_be_made]
        return [cls(name, file) for name, file in places if file.is_file() or _its_own(file).is_dir()]

    @property
    def title(self) -> str:
        return self._client.title

    @property
    def then(self) -> str:
        """What is left for a person to do."""
        return self._client.then

    @property
    def _client(self) -> Client:
        return CLIENTS[self.client]

    def install(self, name: str, arguments: list[str]) -> Path | None:
        """Our entry is in it; the file as it was stands where this says."""
        return installing.install(self._client, self.file, self._server(name, arguments)).backup

    def uninstall(self, name: str) -> bool:
        done = installing.uninstall(self._client, self.file, self._server(name, []))
        if done.backup:
            done.backup.unlink()
        return done.changed

    def _server(self, name: str, arguments: list[str]) -> installing.Server:
        return installing.Server(name, installing.our_command(), arguments)


def _its_own(file: Path) -> Path:
    return file.with_name(".claude") if file.name == ".claude.json" else file.parent
