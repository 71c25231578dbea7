"""WebHDFS: redirects, standby NameNodes, names that only the cluster knows, refusals."""

from __future__ import annotations

import json
import pathlib
import socket
from collections.abc import Mapping

import pytest

import weir
from weir._http import HttpTransport, Response
from weir.errors import HdfsError, HdfsNotFoundError, NoSessionError, UnavailableError
from weir.hdfs import HadoopConf, Hdfs
from weir.session import Session
from weir.testing import Answer, LocalWeir, Request, serve


def remote(kind: str, message: str = "no") -> dict[str, object]:
    return {"RemoteException": {"exception": kind, "message": message}}


def test_write_follows_the_namenode_to_a_datanode() -> None:
    with serve(lambda request: Answer(201)) as datanode:
        to = Answer(307, b"", {"Location": datanode.url + "/webhdfs/v1/a?op=CREATE"})
        with serve(lambda request: to) as namenode:
            Hdfs([namenode.url], "alice").write("/a b", b"data")
    assert namenode.requests[0].target.startswith("/webhdfs/v1/a%20b?op=CREATE&user.name=alice")
    assert namenode.requests[0].body == b""
    assert datanode.requests[0].body == b"data"


def test_large_file_is_copied_in_pieces(tmp_path: pathlib.Path) -> None:
    local = tmp_path / "local"
    local.write_bytes(b"0123456789")
    with LocalWeir() as cluster:
        hdfs = Hdfs.connect(cluster.conf_dir)
        hdfs.write("/a", b"old")
        hdfs.upload(local, "/a", piece=4)
        assert hdfs.read("/a") == b"0123456789"
        assert [each.name for each in hdfs.children("/")] == ["a", "user"]
        hdfs.download("/a", tmp_path / "back", piece=3)
    assert (tmp_path / "back").read_bytes() == b"0123456789"


class WithoutNames(HttpTransport):
    """A machine that does not know the cluster's host names."""

    def send(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes, timeout: float
    ) -> Response:
        if "n1.invalid" in url:
            raise socket.gaierror("Name or service not known")
        return super().send(method, url, headers, body, timeout)


def test_datanode_with_an_unknown_name_is_reached_by_its_address() -> None:
    with serve(lambda request: Answer(200, b"data")) as datanode:
        address = datanode.url[len("http://") :]

        def namenode(request: Request) -> Answer:
            if request.path == "/jmx":
                nodes = {"n1.invalid:9866": {"infoAddr": address}}
                return Answer(200, {"beans": [{"LiveNodes": json.dumps(nodes)}]})
            return Answer(307, b"", {"Location": "http://n1.invalid:9864/webhdfs/v1/a?op=OPEN"})

        with serve(namenode) as server:
            hdfs = Hdfs([server.url], transport=WithoutNames())
            assert hdfs.read("/a") == b"data"


def test_active_namenode_answers_for_the_standby() -> None:
    with serve(lambda request: Answer(403, remote("StandbyException"))) as standby:
        with serve(lambda request: Answer(200, {"Path": "/user/alice"})) as active:
            assert Hdfs([standby.url, active.url]).home() == "/user/alice"


def test_refusals_are_named() -> None:
    with serve(lambda request: Answer(404, remote("FileNotFoundException"))) as server:
        with pytest.raises(HdfsNotFoundError, match="/a does not exist"):
            Hdfs([server.url]).status("/a")
        assert not Hdfs([server.url]).exists("/a")
    refusal = remote("AccessControlException", "Permission denied: user=alice\n at X")
    with serve(lambda request: Answer(403, refusal)) as server:
        with pytest.raises(HdfsError, match="refuses /a: Permission denied: user=alice .Acc"):
            Hdfs([server.url]).status("/a")


def test_configuration_names_the_namenodes(tmp_path: pathlib.Path) -> None:
    with pytest.raises(HdfsError, match="has no core-site.xml"):
        HadoopConf.load(str(tmp_path))
    (tmp_path / "core-site.xml").write_text(
        "<configuration><property><name>fs.defaultFS</name><value>hdfs://weir</value></property>"
        "</configuration>"
    )
    (tmp_path / "hdfs-site.xml").write_text(
        "<configuration>"
        "<property><name>dfs.ha.namenodes.weir</name><value>nn1, nn2</value></property>"
        "<property><name>dfs.namenode.http-address.weir.nn1</name><value>a:1</value></property>"
        "<property><name>dfs.namenode.http-address.weir.nn2</name><value>b:2</value></property>"
        "</configuration>"
    )
    assert HadoopConf.load(str(tmp_path)).namenodes() == ["http://a:1", "http://b:2"]
    (tmp_path / "core-site.xml").write_text("<configuration>")
    with pytest.raises(HdfsError, match="core-site.xml is no valid XML"):
        HadoopConf.load(str(tmp_path))


def test_kerberos_needs_a_token(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WEIR_WEBHDFS_TOKEN", raising=False)
    (tmp_path / "core-site.xml").write_text(
        "<configuration>"
        "<property><name>fs.defaultFS</name><value>hdfs://nn:8020</value></property>"
        "<property><name>hadoop.security.authentication</name><value>kerberos</value></property>"
        "</configuration>"
    )
    with pytest.raises(HdfsError, match="WEIR_WEBHDFS_TOKEN"):
        Hdfs.connect(str(tmp_path))
    monkeypatch.setenv("WEIR_WEBHDFS_TOKEN", "t")
    Hdfs.connect(str(tmp_path))


def test_only_session_is_found_and_several_are_named() -> None:
    directories: dict[str, bytes] = {}

    def namenode(request: Request) -> Answer:
        op = request.query["op"]
        if op == "GETHOMEDIRECTORY":
            return Answer(200, {"Path": "/user/alice"})
        if op == "LISTSTATUS":
            common = {"type": "DIRECTORY", "length": 0, "modificationTime": 0}
            statuses = [{"pathSuffix": id, "permission": "700", **common} for id in directories]
            return Answer(200, {"FileStatuses": {"FileStatus": statuses}})
        if op == "GETFILESTATUS":
            id = request.path.split("/")[-1]
            common = {"type": "DIRECTORY", "length": 0, "modificationTime": 0}
            status = {"pathSuffix": "", "permission": "700", **common}
            return (
                Answer(200, {"FileStatus": status})
                if id in directories
                else Answer(404, remote("FileNotFoundException"))
            )
        id = request.path.split("/")[-2]
        endpoint = directories.get(id)
        return Answer(200, endpoint) if endpoint else Answer(404, remote("FileNotFoundException"))

    def master(request: Request) -> Answer:
        return Answer(200, {"id": "x", "name": "mine", "mode": "weir"})

    key = "22" * 32
    with serve(namenode) as server, serve(master, key) as session:
        endpoint = json.dumps({"url": session.url, "key": key}).encode()
        hdfs = Hdfs([server.url], "alice")
        with pytest.raises(NoSessionError, match="no session: start one"):
            Session.connect(hdfs=hdfs)
        directories["application_1_1"] = b""
        directories["application_1_2"] = endpoint
        assert Session.connect(hdfs=hdfs).session().name == "mine"
        assert weir.Session.connect("mine", hdfs).session().id == "x"
        with pytest.raises(NoSessionError, match="but application_1_2 .'mine'."):
            Session.connect("other", hdfs)
        directories["application_1_3"] = endpoint
        with pytest.raises(NoSessionError, match="several sessions"):
            Session.connect(hdfs=hdfs)
        with pytest.raises(NoSessionError, match="application_1_9 has ended"):
            Session.connect("application_1_9", hdfs).session()
        with pytest.raises(UnavailableError, match="does not exist yet"):
            Session.connect("application_1_1", hdfs, retry_timeout=0).session()
