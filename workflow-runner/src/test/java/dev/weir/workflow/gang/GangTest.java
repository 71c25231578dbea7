package dev.weir.workflow.gang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.weir.workflow.protocol.CacheSecurity;
import dev.weir.workflow.protocol.PortRange;
import dev.weir.workflow.protocol.Secret;
import dev.weir.workflow.sandbox.Sandbox;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A command of a gang starts processes in the other containers. */
class GangTest {

  private static final Map<String, String> BASE =
      Map.of("PATH", "/usr/local/bin:/usr/bin:/bin", "HOME", "/tmp");

  private static final String AS_ROOT =
      "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ";

  @TempDir private Path directory;

  private Gang gang;
  private Sandbox sandbox;

  private final Secret secret = Secret.generate(new SecureRandom());

  @BeforeEach
  void start() throws IOException {
    gang = gang("c0", CacheSecurity.plain(secret), "c1", "c2");
    sandbox = Sandbox.create(directory.resolve("sandboxes"), "s");
  }

  /** Starts a gang of containers on this host. */
  private Gang gang(String first, CacheSecurity security, String... members) throws IOException {
    Gang started = new Gang(first, members.length, security, PortRange.ANY, GangTest::daemon);
    GangAddress address = started.address("localhost");
    for (String id : members) {
      Map<String, String> variables = new HashMap<>(BASE);
      variables.put("CONTAINER", id);
      GangMember.Container container =
          new GangMember.Container(
              id + UUID.randomUUID(), variables, Files.createDirectory(directory.resolve(id)));
      GangMember member = new GangMember(address, first, address.security(secret), container);
      daemon(member::serve).start();
    }
    return started;
  }

  @AfterEach
  void end() throws IOException {
    gang.close();
    sandbox.close();
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    return thread;
  }

  private record Ended(int code, String out, String err) {}

  private Ended run(String script) throws Exception {
    return run(gang, script);
  }

  private Ended run(Gang in, String script) throws Exception {
    sandbox.close();
    sandbox = Sandbox.create(directory.resolve("sandboxes"), "s");
    try (GangCommand command = in.begin(sandbox, 1, Map.of("WEIR_TASK", "t"))) {
      ProcessBuilder builder =
          new ProcessBuilder("/bin/sh", "-c", script).directory(sandbox.work().toFile());
      builder.environment().clear();
      builder.environment().putAll(BASE);
      builder.environment().putAll(command.environment());
      builder.environment().put("TMPDIR", sandbox.temp().toString());
      Path out = directory.resolve("out");
      Path err = directory.resolve("err");
      int code = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start().waitFor();
      assertThat(command.lost()).isNotDone();
      return new Ended(code, Files.readString(out), Files.readString(err));
    }
  }

  @Test
  void launcherRunsCommandsInTheOtherContainers() throws Exception {
    assertThat(
            run("for i in 1 2; do $WEIR_LAUNCHER -x weir-$i echo '$CONTAINER $WEIR_TASK'; done")
                .out())
        .contains("c1 t\n", "c2 t\n");
    assertThat(run("$WEIR_LAUNCHER weir-2 'echo bad >&2; exit 7'"))
        .isEqualTo(new Ended(7, "", "bad\n"));
    Ended unknown = run("$WEIR_LAUNCHER weir-3 true");
    assertThat(unknown.code()).isEqualTo(255);
    assertThat(unknown.err()).contains("no container of this task has the name weir-3");
  }

  @Test
  void commandMayDeleteItsTemporaryFiles() throws Exception {
    assertThat(run("$WEIR_LAUNCHER weir-1 'sleep 0.2'; rm -rf \"$TMPDIR\"/*; sleep 0.2").code())
        .isZero();
  }

  @Test
  void filesAreCopiedToOtherNodes() throws IOException {
    Files.writeString(sandbox.work().resolve("a"), "one");
    Files.createDirectories(sandbox.work().resolve("b/c"));
    byte[] large = new byte[200_000];
    Arrays.fill(large, (byte) 7);
    Files.write(sandbox.work().resolve("b/c/d"), large);
    Files.createSymbolicLink(sandbox.work().resolve("link"), Path.of("a"));
    ByteArrayOutputStream sent = new ByteArrayOutputStream();

    DirectoryCopy.send(sandbox.work(), new DataOutputStream(sent));
    Path copy = directory.resolve("copy");
    DirectoryCopy.receive(new DataInputStream(new ByteArrayInputStream(sent.toByteArray())), copy);

    assertThat(copy.resolve("a")).hasContent("one").isExecutable();
    assertThat(copy.resolve("b/c/d")).hasBinaryContent(large);
    assertThat(copy.resolve("link")).hasContent("one");
  }

  @Test
  void commandEndsWithItsLauncher() throws Exception {
    awaitEnd(started("sleep 1000", "kill $!; wait"));
  }

  @Test
  void processesEndWithTheCommandAndWithItsTask() throws Exception {
    awaitEnd(started("sleep 1000 & exit 0", "wait"));
    awaitEnd(started("exec setsid -w sleep 1000", "true"));
  }

  @Test
  void escapedProcessesEndWithTheTask() throws Exception {
    Path pid = directory.resolve("pid");
    Path script = directory.resolve("escaped.sh");
    Files.writeString(script, "echo $$ > " + pid + "; exec sleep 1000");
    String escape = "$WEIR_LAUNCHER weir-1 'setsid -f sh " + script + " > /dev/null 2>&1'; ";

    run(escape + "until test -s " + pid + "; do sleep 0.05; done");

    awaitEnd(List.of(Long.valueOf(Files.readString(pid).strip())));
  }

  /**
   * Runs a command in the background of another container.
   *
   * @param then what the task does once it runs
   * @return its process id, and that of its last child
   */
  private List<Long> started(String command, String then) throws Exception {
    Path begun = directory.resolve("begun");
    Files.deleteIfExists(begun);
    String running = "{ " + command + "; } & echo $$ $! > " + begun + "; wait";
    run(
        "$WEIR_LAUNCHER weir-1 '"
            + running
            + "' & while ! test -s "
            + begun
            + "; do sleep 0.05; done; "
            + then);
    return Stream.of(Files.readString(begun).strip().split(" ")).map(Long::valueOf).toList();
  }

  private static void awaitEnd(List<Long> processes) {
    for (long process : processes) {
      ProcessHandle.of(process).ifPresent(left -> left.onExit().join());
    }
  }

  @Test
  void connectionsAreEncryptedIfThoseOfTheSessionAre() throws Exception {
    try (Gang encrypted = gang("e0", CacheSecurity.encrypted(secret), "e1")) {
      assertThat(encrypted.address("localhost").security(secret).isEncrypted()).isTrue();
      assertThat(run(encrypted, "$WEIR_LAUNCHER weir-1 'echo $CONTAINER'").out()).isEqualTo("e1\n");
    }
  }

  @Test
  void lossOfAContainerIsNoticed() throws Exception {
    CacheSecurity security = CacheSecurity.plain(secret);
    try (Gang pair = new Gang("p0", 1, security, PortRange.ANY, GangTest::daemon)) {
      Socket socket = new Socket("localhost", pair.address("localhost").port());
      GangConnection member = GangConnection.open(socket, security, "p0", /* isFirst= */ false);
      member.writeText("c3");
      // It has the directory, and all files.
      member.out.writeBoolean(false);
      member.out.writeBoolean(true);
      member.out.flush();
      try (GangCommand command = pair.begin(sandbox, 1, Map.of())) {
        assertThat(command.lost()).isNotDone();

        member.close();

        assertThat(command.lost().join()).contains("the container c3 of the gang was lost");
      }
    }
  }

  @Test
  void othersCannotJoin() throws Exception {
    Secret another = Secret.generate(new SecureRandom());
    for (CacheSecurity stranger :
        List.of(CacheSecurity.plain(another), CacheSecurity.encrypted(another))) {
      refused(gang, stranger, "c0");
    }
    refused(gang, CacheSecurity.plain(secret), "c9");
    try (Gang encrypted =
        new Gang("e0", 1, CacheSecurity.encrypted(secret), PortRange.ANY, GangTest::daemon)) {
      refused(encrypted, CacheSecurity.encrypted(secret), "e0");
      refused(encrypted, CacheSecurity.plain(secret), "e0");
    }
  }

  private static void refused(Gang by, CacheSecurity security, String first) throws IOException {
    Socket socket = new Socket("localhost", by.address("localhost").port());
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(
            () -> {
              GangConnection joined =
                  GangConnection.open(socket, security, first, /* isFirst= */ false);
              joined.in.readByte();
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"mpiexec.openmpi", "mpiexec.hydra"})
  void processesOfMpiexecEndWithItsTask(String mpiexec) throws Exception {
    assumeThat(Path.of("/usr/bin", mpiexec)).as("Open MPI, MPICH").exists();
    String file = directory + "/rank-";
    String rank = "echo $$ > " + file + "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}; exec sleep 1000";
    run(
        AS_ROOT
            + mpiexec
            + " -n 3 sh -c '"
            + rank
            + "' & until test -s "
            + String.join(" -a -s ", file + 0, file + 1, file + 2)
            + "; do sleep 0.05; done");
    for (int i = 0; i < 3; i++) {
      awaitEnd(List.of(Long.valueOf(Files.readString(Path.of(file + i)).strip())));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"mpiexec.openmpi", "mpiexec.hydra"})
  void mpiexecStartsProcessesInAllContainers(String mpiexec) throws Exception {
    assumeThat(Path.of("/usr/bin", mpiexec)).as("Open MPI, MPICH").exists();
    Ended ended =
        run(
            AS_ROOT
                + mpiexec
                + " -n 3 sh -c"
                + " 'echo rank ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} in ${CONTAINER:-first}'");
    assertThat(ended.code()).as(ended.err()).isZero();
    assertThat(ended.out().lines()).hasSize(3).contains("rank 0 in first");
    assertThat(ended.out()).contains(" in c1\n", " in c2\n");
  }
}
