package dev.weir.service.runs;

import static dev.weir.service.runs.RunCalls.attempt;
import static dev.weir.service.runs.RunCalls.head;
import static dev.weir.service.runs.RunCalls.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.store.InMemoryHintStore;
import dev.weir.service.TestServer;
import dev.weir.workflow.provenance.AttemptEntry;
import dev.weir.workflow.provenance.FileUse;
import dev.weir.workflow.provenance.Lineage;
import dev.weir.workflow.provenance.Lineage.Verdict;
import dev.weir.workflow.provenance.RunPart;
import dev.weir.workflow.provenance.RunPhase;
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
  private RunCalls calls;

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
    calls = new RunCalls(server);
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
  void aFileIsKnownByItsChecksumWhateverItsTime() throws Exception {
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
    FileUse wrote = new FileUse("a", true, (long) content.length, crc(content));
    AttemptEntry read =
        attempt("u", 1, 30, new FileUse("a", false, (long) content.length, crc(content)));
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
  void anInputThatWasWrittenOverIsNotTakenForTheOneBefore() throws Exception {
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
    FileUse wrote = new FileUse("m", true, (long) made.length, crc(made));
    calls.add("alice", "first", RunPart.ofAttempts(List.of(attempt("t", 1, 10, wrote))), 200);
    calls.add(
        "alice",
        "second",
        RunPart.ofTasks(List.of(), List.of(task("t", List.of("m"), List.of("n")))),
        200);
    write("/data/n", made);
    for (byte[] content : List.of(made, other)) {
      FileUse read = new FileUse("m", false, (long) content.length, crc(content));
      FileUse result = new FileUse("n", true, (long) made.length, crc(made));
      calls.add(
          "alice", "second", RunPart.ofAttempts(List.of(attempt("t", 1, 50, read, result))), 200);
      Lineage found = calls.lineage("alice", "/data/n");
      assertThat(found.attempts()).hasSize(content == made ? 2 : 1);
      assertThat(found.files().get(1).note() == null).isEqualTo(content == made);
    }
  }

  @Test
  void whoMayNotReadAFileIsNotToldHowItWasMade() throws Exception {
    calls.put("alice", "secret", head("/data", RunPhase.RUNNING), 201);
    calls.add(
        "alice",
        "secret",
        RunPart.ofTasks(
            List.of(),
            List.of(
                task("s", List.of(), List.of("hidden")),
                task("t", List.of("hidden"), List.of("shown")))),
        200);
    List<AttemptEntry> attempts = List.of(attempt("s", 1, 5), attempt("t", 1, 10));
    calls.add("alice", "secret", RunPart.ofAttempts(attempts), 200);
    write("/data/hidden", new byte[4]);
    write("/data/shown", new byte[4]);
    files.setPermission(new Path("/data/hidden"), new FsPermission((short) 0600));

    assertThat(calls.lineage("alice", "/data/shown").attempts()).hasSize(2);
    Lineage bobs = calls.lineage("bob", "/data/shown");
    assertThat(bobs.attempts()).hasSize(1);
    assertThat(bobs.files().get(1).note()).contains("may not read");
    calls.get("bob", RunCalls.lineagePath("/data/hidden"), 403);
    calls.put("bob", "forged", head("/data", RunPhase.RUNNING), 403);
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
