"""Files in HDFS, by WebHDFS: only what sessions and plugins need.

To read and write data use :mod:`pyarrow.fs` or fsspec's ``webhdfs``; docs/python.md says how.
"""

from __future__ import annotations

import getpass
import json
import os
import pathlib
import socket
import urllib.parse
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Optional

from weir._http import HttpTransport, Response, Transport
from weir.errors import HdfsError, HdfsNotFoundError

_PREFIX = "/webhdfs/v1"
_TIMEOUT = 60.0
_STANDBY = "StandbyException"
_PIECE_BYTES = 64 << 20


@dataclass(frozen=True)
class FileStatus:
    """A file or a directory. ``modified_millis`` is since the epoch."""

    name: str
    is_directory: bool
    length: int
    modified_millis: int
    permission: int


class HadoopConf:
    """The settings of a configuration directory; those that Weir and WebHDFS need.

    >>> HadoopConf({"fs.defaultFS": "hdfs://nn:8020"}).namenodes()
    ['http://nn:9870']
    """

    def __init__(self, settings: Mapping[str, str], place: str = "the configuration") -> None:
        self._settings = settings
        self._place = place

    @staticmethod
    def load(directory: Optional[str] = None) -> HadoopConf:
        """Reads a configuration directory, that of ``HADOOP_CONF_DIR`` by default."""
        place = directory or os.environ.get("HADOOP_CONF_DIR", "")
        if not place:
            raise HdfsError(
                "HADOOP_CONF_DIR is not set: set it to the directory of the cluster's"
                " core-site.xml, or give the NameNode's address"
            )
        if not os.path.isfile(os.path.join(place, "core-site.xml")):
            raise HdfsError(f"{place} has no core-site.xml: set HADOOP_CONF_DIR to one that has")
        settings: dict[str, str] = {}
        for name in ("core-site.xml", "hdfs-site.xml", "weir-site.xml"):
            path = os.path.join(place, name)
            if os.path.isfile(path):
                settings.update(_properties(path))
        return HadoopConf(settings, place)

    def get(self, key: str, otherwise: str = "") -> str:
        """Returns a setting, without its ``${...}`` resolved."""
        return self._settings.get(key, otherwise)

    def namenodes(self) -> list[str]:
        """Returns the web addresses of the default file system's NameNodes."""
        default = urllib.parse.urlsplit(self.get("fs.defaultFS"))
        if default.scheme != "hdfs":
            raise HdfsError(
                f"fs.defaultFS in {self._place} is '{self.get('fs.defaultFS')}', not HDFS: set"
                " HADOOP_CONF_DIR to the configuration of a cluster"
            )
        service = default.hostname or ""
        scheme, key, port = "http", "dfs.namenode.http-address", "9870"
        if self.get("dfs.http.policy") == "HTTPS_ONLY":
            scheme, key, port = "https", "dfs.namenode.https-address", "9871"
        names = self.get(f"dfs.ha.namenodes.{service}")
        if not names:
            address = self.get(f"{key}.{service}") or self.get(key) or f"{service}:{port}"
            return [f"{scheme}://{_reachable(address, service)}"]
        return [
            f"{scheme}://{self.get(f'{key}.{service}.{name.strip()}')}" for name in names.split(",")
        ]


def _reachable(address: str, host: str) -> str:
    """Replaces an address that only tells where the NameNode listens."""
    name, _, port = address.rpartition(":")
    return f"{host}:{port}" if name in ("", "0.0.0.0") else address


def _properties(path: str) -> Iterable[tuple[str, str]]:
    try:
        root = ElementTree.parse(path).getroot()
    except ElementTree.ParseError as e:
        raise HdfsError(f"{path} is no valid XML: {e}") from e
    for each in root.iter("property"):
        yield each.findtext("name", "").strip(), each.findtext("value", "").strip()


class Hdfs:
    """A client of WebHDFS. Thread-safe.

    :param namenodes: web addresses, several for a cluster with standby NameNodes
    :param user: without Kerberos, the user as whom the client acts
    :param token: with Kerberos, a delegation token in its URL form
    """

    def __init__(
        self,
        namenodes: Iterable[str],
        user: Optional[str] = None,
        token: Optional[str] = None,
        transport: Optional[Transport] = None,
    ) -> None:
        self._namenodes = [address.rstrip("/") for address in namenodes]
        self.user = user or os.environ.get("HADOOP_USER_NAME") or getpass.getuser()
        self._token = token
        self._transport: Transport = transport or HttpTransport()

    @staticmethod
    def connect(conf_dir: Optional[str] = None, user: Optional[str] = None) -> Hdfs:
        """Returns a client of the cluster of a configuration directory.

        With Kerberos the environment's ``WEIR_WEBHDFS_TOKEN`` is a delegation token.
        """
        conf = HadoopConf.load(conf_dir)
        token = os.environ.get("WEIR_WEBHDFS_TOKEN")
        namenodes = conf.namenodes()
        if conf.get("hadoop.security.authentication") == "kerberos" and not token:
            raise HdfsError(
                'The cluster uses Kerberos: set WEIR_WEBHDFS_TOKEN to the urlString that "curl'
                f" --negotiate -u : '{namenodes[0]}/webhdfs/v1/?op=GETDELEGATIONTOKEN'\" prints"
            )
        return Hdfs(namenodes, user, token)

    def home(self) -> str:
        """Returns the user's home directory."""
        return str(self._json("GET", "/", "GETHOMEDIRECTORY")["Path"])

    def status(self, path: str) -> FileStatus:
        """Returns the status of a path.

        :raises HdfsNotFoundError: if it does not exist
        """
        return _status(self._json("GET", path, "GETFILESTATUS")["FileStatus"])

    def exists(self, path: str) -> bool:
        """Whether a path exists."""
        try:
            self.status(path)
            return True
        except HdfsNotFoundError:
            return False

    def children(self, path: str) -> list[FileStatus]:
        """Lists a directory, in the order of the names."""
        answer = self._json("GET", path, "LISTSTATUS")["FileStatuses"]["FileStatus"]
        return [_status(each) for each in answer]

    def files(self, directory: str) -> list[str]:
        """Returns the paths of all files below a directory, relative to it."""
        found = []
        for each in self.children(directory):
            if each.is_directory:
                below = self.files(f"{directory.rstrip('/')}/{each.name}")
                found += [f"{each.name}/{path}" for path in below]
            else:
                found.append(each.name)
        return found

    def read(self, path: str) -> bytes:
        """Returns the content of a file."""
        return self._follow("GET", path, "OPEN", b"").body

    def write(self, path: str, data: bytes) -> None:
        """Writes a file, and replaces one that exists."""
        self._follow("PUT", path, "CREATE", data, overwrite="true")

    def download(self, path: str, local: pathlib.Path, piece: int = _PIECE_BYTES) -> None:
        """Copies a file from HDFS, with one piece of it in memory."""
        length = self.status(path).length
        with open(local, "wb") as file:
            for offset in range(0, length, piece):
                some = {"offset": str(offset), "length": str(piece)}
                file.write(self._follow("GET", path, "OPEN", b"", **some).body)

    def upload(self, local: pathlib.Path, path: str, piece: int = _PIECE_BYTES) -> None:
        """Copies a local file to HDFS under a temporary name, and renames it."""
        temporary = f"{path}._COPYING_"
        with open(local, "rb") as file:
            self.write(temporary, file.read(piece))
            while more := file.read(piece):
                self._follow("POST", temporary, "APPEND", more)
        self.delete(path)
        self.rename(temporary, path)

    def mkdirs(self, path: str) -> None:
        """Creates a directory and those above it."""
        self._json("PUT", path, "MKDIRS")

    def rename(self, path: str, to: str) -> None:
        """Renames a path; ``to`` must not exist."""
        if not self._json("PUT", path, "RENAME", destination=to)["boolean"]:
            raise HdfsError(f"HDFS does not rename {path} to {to}: does {to} exist?")

    def delete(self, path: str, recursive: bool = False) -> bool:
        """Deletes a path; returns whether it existed."""
        answer = self._json("DELETE", path, "DELETE", recursive=str(recursive).lower())
        return bool(answer["boolean"])

    def set_permission(self, path: str, permission: int) -> None:
        """Sets the permission bits of a path."""
        self._send("PUT", path, "SETPERMISSION", {"permission": f"{permission:o}"}, b"")

    def touch(self, path: str, millis: int) -> None:
        """Sets the modification time, in milliseconds since the epoch."""
        self._send("PUT", path, "SETTIMES", {"modificationtime": str(millis)}, b"")

    def _json(self, method: str, path: str, op: str, **query: str) -> Any:
        answer = self._send(method, path, op, query, b"")
        return answer.json(f"WebHDFS ({op} {path})")

    def _follow(self, method: str, path: str, op: str, data: bytes, **query: str) -> Response:
        """Sends a request to the DataNode that the NameNode names."""
        answer = self._send(method, path, op, query, b"")
        if answer.status != 307:
            return answer
        url = answer.headers["location"]
        kind = {"Content-Type": "application/octet-stream"}
        try:
            try:
                return _checked(self._transport.send(method, url, kind, data, _TIMEOUT), path)
            except socket.gaierror:
                return _checked(
                    self._transport.send(method, self._by_address(url), kind, data, _TIMEOUT), path
                )
        except OSError as e:
            raise HdfsError(
                f"The DataNode {urllib.parse.urlsplit(url).netloc} does not answer for {path}: {e}."
                " Does this machine reach the DataNodes?"
            ) from e

    def _by_address(self, url: str) -> str:
        """Replaces the name of a DataNode, which only the cluster knows, by its address."""
        parts = urllib.parse.urlsplit(url)
        for namenode in self._namenodes:
            query = "/jmx?qry=Hadoop:service=NameNode,name=NameNodeInfo"
            answer = self._transport.send("GET", namenode + query, {}, b"", _TIMEOUT)
            for bean in answer.json(namenode).get("beans", []):
                for name, node in json.loads(bean["LiveNodes"]).items():
                    if name.rpartition(":")[0] == parts.hostname and node.get("infoAddr"):
                        return parts._replace(netloc=node["infoAddr"]).geturl()
        return url

    def _send(
        self, method: str, path: str, op: str, query: Mapping[str, str], body: bytes
    ) -> Response:
        caller = {"delegation": self._token} if self._token else {"user.name": self.user}
        parameters = urllib.parse.urlencode({"op": op, **caller, **query})
        target = f"{_PREFIX}{urllib.parse.quote(path)}?{parameters}"
        failure: Exception = HdfsError("Give the address of a NameNode, such as http://nn:9870")
        for address in list(self._namenodes):
            try:
                answer = self._transport.send(method, address + target, {}, body, _TIMEOUT)
            except OSError as e:
                failure = HdfsError(
                    f"The NameNode {address} does not answer: {e}. Is WebHDFS on"
                    " (dfs.webhdfs.enabled), and the address right?"
                )
                continue
            if answer.status == 403 and _STANDBY.encode() in answer.body:
                failure = HdfsError(f"The NameNode {address} is standby, and no other answers")
                continue
            return _checked(answer, path)
        raise failure


def _checked(answer: Response, path: str) -> Response:
    if answer.status < 400:
        return answer
    try:
        remote = json.loads(answer.body)["RemoteException"]
        message, kind = str(remote["message"]).split("\n")[0], str(remote["exception"])
    except (ValueError, KeyError, TypeError):
        raise HdfsError(f"WebHDFS answers {answer.status} for {path}") from None
    if kind == "FileNotFoundException":
        raise HdfsNotFoundError(f"{path} does not exist in HDFS")
    raise HdfsError(f"HDFS refuses {path}: {message} ({kind})")


def _status(value: Mapping[str, Any]) -> FileStatus:
    return FileStatus(
        name=str(value["pathSuffix"]),
        is_directory=value["type"] == "DIRECTORY",
        length=int(value["length"]),
        modified_millis=int(value["modificationTime"]),
        permission=int(value["permission"], 8),
    )
