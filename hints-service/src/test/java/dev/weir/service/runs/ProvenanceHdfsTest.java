package dev.weir.service.runs;

import static dev.weir.service.runs.RunClient.attempt;
import static dev.weir.service.runs.RunClient.head;
import static dev.weir.service.runs.RunClient.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.store.InMemoryHintStore;
import dev.weir.service.TestServer;
import dev.weir.workflow.provenance.AttemptEntry;
import dev.weir.workflow.provenance.FileUse;
import dev.weir.workflow.provenance.Lineage;
import dev.weir.workflow.provenance.Lineage.Verdict;
import dev.weir.workflow.provenance.RunPart;
import dev.weir.workflow.provenance.RunPhase;
import dev.weir.workflow.provenance.TaskEntry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Clock;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Checksums and permissions of a real HDFS. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProvenanceHdfsTest {
  private static final int BLOCK = 1 << 20;

  private MiniDFSCluster cluster;
  private FileSystem files;
  private TestServer server;
  private RunClient calls;

  @BeforeAll
  void start() throws Exception {
    String self = UserGroupInformation.getCurrentUser().getShortUserName();
    Configuration conf = new Configuration();
    conf.set(
        MiniDFSCluster.HDFS_MINIDFS_BASEDIR, Files.createTempDirectory("weir-runs").toString());
    conf.setInt("dfs.blocksize", BLOCK);
    conf.set("hadoop.proxyuser." + self + ".hosts", "*");
    conf.set("hadoop.proxyuser." + self + ".users", "alice,bob");
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(1).build();
    cluster.waitActive();
    files = cluster.getFileSystem();
    server =
        TestServer.over(
            new InMemoryHintStore(Clock.systemUTC()),
            Map.of(
                "fs.defaultFS",
                cluster.getURI().toString(),
                "weir.server.admins",
                self,
                "hadoop.proxyuser." + self + ".hosts",
                "*",
                "hadoop.proxyuser." + self + ".users",
                "alice,bob"));
    calls = new RunClient(server);
    server.awaitDatabase();
    Path data = new Path("/data");
    files.mkdirs(data);
    files.setOwner(data, "alice", "alice");
  }

  @AfterAll
  void stop() {
    server.close();
    cluster.shutdown(true);
  }

  @Test
  void identifiesFileByChecksum() throws Exception {
    byte[] content = new byte[BLOCK + 4321];
    content[17] = 5;
    calls.put("alice", "sum", head("/data", RunPhase.RUNNING), 201);
    calls.add(
        "alice",
        "sum",
        RunPart.ofTasks(
            List.of(),
            List.of(
                task("t", List.of("raw"), List.of("a")), task("u", List.of("a"), List.of("b")))),
        200);
    FileUse wrote = new FileUse("a", true, (long) content.length, crc(content), null);
    AttemptEntry read =
        attempt("u", 1, 30, new FileUse("a", false, (long) content.length, crc(content), null));
    calls.add("alice", "sum", RunPart.ofAttempts(List.of(attempt("t", 1, 10, wrote), read)), 200);

    write("/data/a", content);
    Lineage same = calls.lineage("alice", "/data/a");
    assertThat(same.verdict()).as(same.note()).isEqualTo(Verdict.SAME);
    assertThat(same.now().crc32c()).isEqualTo(crc(content));

    write("/data/b", content);
    assertThat(calls.lineage("alice", "/data/b").verdict())
        .as("no checksum, and the time is another")
        .isEqualTo(Verdict.CHANGED);

    content[BLOCK + 1] = 9;
    write("/data/a", content);
    Lineage changed = calls.lineage("alice", "/data/a");
    assertThat(changed.verdict()).isEqualTo(Verdict.CHANGED);
    assertThat(changed.note()).contains("NOT this one").contains(crc(content));
  }

  @Test
  void detectsOverwrittenInput() throws Exception {
    byte[] made = "made by a run".getBytes(StandardCharsets.UTF_8);
    byte[] other = "made by a hand".getBytes(StandardCharsets.UTF_8);
    for (String run : List.of("first", "second")) {
      calls.put("alice", run, head("/data", RunPhase.RUNNING), 201);
    }
    calls.add(
        "alice",
        "first",
        RunPart.ofTasks(List.of(), List.of(task("t", List.of(), List.of("m")))),
        200);
    FileUse wrote = new FileUse("m", true, (long) made.length, crc(made), null);
    calls.add("alice", "first", RunPart.ofAttempts(List.of(attempt("t", 1, 10, wrote))), 200);
    calls.add(
        "alice",
        "second",
        RunPart.ofTasks(List.of(), List.of(task("t", List.of("m"), List.of("n")))),
        200);
    write("/data/n", made);
    for (byte[] content : List.of(made, other)) {
      FileUse read = new FileUse("m", false, (long) content.length, crc(content), null);
      FileUse result = new FileUse("n", true, (long) made.length, crc(made), null);
      calls.add(
          "alice", "second", RunPart.ofAttempts(List.of(attempt("t", 1, 50, read, result))), 200);
      Lineage found = calls.lineage("alice", "/data/n");
      assertThat(found.attempts()).hasSize(content == made ? 2 : 1);
      assertThat(found.files().get(1).note() == null).isEqualTo(content == made);
    }
  }

  @Test
  void hidesUnreadableFiles() throws Exception {
    calls.put("alice", "secret", head("/data", RunPhase.RUNNING), 201);
    TaskEntry shown =
        new TaskEntry(
            "t",
            "make",
            List.of("make", "--in=hidden.txt", "shown"),
            List.of("hidden.txt", "gone.txt", "open.txt"),
            List.of("shown"),
            List.of(),
            0,
            0);
    calls.add(
        "alice",
        "secret",
        RunPart.ofTasks(
            List.of(), List.of(task("s", List.of(), List.of("hidden.txt", "open.txt")), shown)),
        200);
    AttemptEntry reader =
        attempt(
            "t",
            1,
            10,
            new FileUse("hidden.txt", false, 12345L, "abcdef01", null),
            new FileUse("open.txt", false, 4L, null, null));
    calls.add("alice", "secret", RunPart.ofAttempts(List.of(attempt("s", 1, 5), reader)), 200);
    write("/data/hidden.txt", new byte[4]);
    write("/data/open.txt", new byte[4]);
    write("/data/shown", new byte[4]);
    setTime("/data/open.txt", 12);
    setTime("/data/shown", 15);
    files.setPermission(new Path("/data/hidden.txt"), new FsPermission((short) 0600));

    assertThat(calls.lineage("alice", "/data/shown").attempts()).hasSize(2);
    Lineage bobs = calls.lineage("bob", "/data/shown");
    assertThat(bobs.verdict()).as(bobs.note()).isEqualTo(Verdict.LIKELY);
    assertThat(bobs.attempts()).hasSize(2);
    assertThat(bobs.attempts().get(0).untold()).isEqualTo(2);
    assertThat(bobs.files()).hasSize(2);
    assertThat(calls.get("bob", RunClient.lineagePath("/data/shown"), 200).toString())
        .contains("open.txt")
        .doesNotContain("hidden", "gone.txt", "12345", "abcdef01");
    calls.get("bob", RunClient.lineagePath("/data/hidden.txt"), 403);
    calls.put("bob", "forged", head("/data", RunPhase.RUNNING), 403);

    setTime("/data/shown", 900);
    Lineage changed = calls.lineage("bob", "/data/shown");
    assertThat(changed.verdict()).as("it is another file by now").isEqualTo(Verdict.CHANGED);
    assertThat(changed.note()).contains("NOT this one");
    assertThat(changed.attempts()).isEmpty();
    assertThat(calls.lineage("alice", "/data/shown").attempts()).hasSize(2);
  }

  @Test
  void ignoresClaimsAboutFilesOfOthers() throws Exception {
    Path shared = new Path("/shared");
    files.mkdirs(shared);
    files.setPermission(shared, new FsPermission((short) 0777));
    byte[] content = "by hand".getBytes(StandardCharsets.UTF_8);
    FileUse claim = new FileUse("a", true, (long) content.length, crc(content), null);
    calls.put("bob", "forged", head("/shared", RunPhase.RUNNING), 201);
    calls.add(
        "bob",
        "forged",
        RunPart.ofTasks(List.of(), List.of(task("t", List.of(), List.of("a")))),
        200);
    calls.add("bob", "forged", RunPart.ofAttempts(List.of(attempt("t", 1, 100, claim))), 200);
    write("/shared/a", content);

    Lineage alices = calls.lineage("alice", "/shared/a");
    assertThat(alices.verdict()).as(alices.note()).isEqualTo(Verdict.UNKNOWN);
    assertThat(alices.note()).contains("bob claims", "not verified");
    assertThat(alices.attempts()).isEmpty();
    String self = UserGroupInformation.getCurrentUser().getShortUserName();
    assertThat(calls.lineage(self, "/shared/a").files().get(0).note())
        .contains("claimed by run forged of bob", "the file is alice's");

    calls.put("alice", "true", head("/shared", RunPhase.RUNNING), 201);
    calls.add(
        "alice",
        "true",
        RunPart.ofTasks(
            List.of(),
            List.of(task("t", List.of(), List.of("a")), task("u", List.of("a"), List.of("b")))),
        200);
    AttemptEntry made = attempt("t", 1, 10, claim);
    calls.add("alice", "true", RunPart.ofAttempts(List.of(made, attempt("u", 1, 500))), 200);
    write("/shared/b", content);
    setTime("/shared/b", 505);
    assertThat(calls.lineage("bob", "/shared/a").runs())
        .as("that of the file's owner counts")
        .extracting(Lineage.RunName::id)
        .containsExactly("true");
    assertThat(calls.lineage("alice", "/shared/b").runs())
        .extracting(Lineage.RunName::owner)
        .containsExactly("alice");
  }

  @Test
  void claimedInputRevealsNoLineage() throws Exception {
    files.mkdirs(new Path("/shared"));
    files.setPermission(new Path("/shared"), new FsPermission((short) 0777));
    calls.put("alice", "private", head("/shared", RunPhase.RUNNING), 201);
    calls.add(
        "alice",
        "private",
        RunPart.ofTasks(List.of(), List.of(task("t", List.of(), List.of("p")))),
        200);
    calls.add("alice", "private", RunPart.ofAttempts(List.of(attempt("t", 1, 10))), 200);
    write("/shared/p", new byte[4]);
    setTime("/shared/p", 15);
    files.setPermission(new Path("/shared/p"), new FsPermission((short) 0600));
    calls.put("bob", "spy", head("/shared", RunPhase.RUNNING), 201);
    calls.add(
        "bob",
        "spy",
        RunPart.ofTasks(List.of(), List.of(task("t", List.of("p"), List.of("q")))),
        200);
    calls.add("bob", "spy", RunPart.ofAttempts(List.of(attempt("t", 1, 50))), 200);

    Lineage found = calls.lineage("bob", "/shared/q");

    assertThat(found.runs()).extracting(Lineage.RunName::id).containsExactly("spy");
    assertThat(found.files().get(1).note())
        .as("the note does not reveal that the file exists")
        .isNull();
    files.setPermission(new Path("/shared/p"), new FsPermission((short) 0644));
    assertThat(calls.lineage("bob", "/shared/q").runs()).hasSize(2);
  }

  private void setTime(String path, int second) throws Exception {
    files.setTimes(new Path(path), RunClient.START.plusSeconds(second).toEpochMilli(), -1);
  }

  private void write(String path, byte[] content) throws Exception {
    try (FSDataOutputStream out = files.create(new Path(path), true)) {
      out.write(content);
    }
    files.setOwner(new Path(path), "alice", "alice");
  }

  private static String crc(byte[] content) {
    CRC32C crc = new CRC32C();
    crc.update(content);
    return HexFormat.of().toHexDigits((int) crc.getValue());
  }
}
