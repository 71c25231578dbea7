package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.cluster.LocalCluster;
import dev.weir.it.ClusterExtension;
import dev.weir.it.HdfsFiles;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.wfformat.WfFormatWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Users who are neither superusers of HDFS nor administrators of the hints service, each with a
 * private home directory. They may access their own runs and files, but not those of others.
 */
@Tag("nightly")
@ExtendWith(ClusterExtension.class)
class OrdinaryUserIT {
  private static final Duration DEADLINE = Duration.ofMinutes(2);
  private static final Pattern APPLICATION = Pattern.compile("application_\\d+_\\d+");
  private static final FsPermission PRIVATE = new FsPermission((short) 0700);
  private static final String ANN = "ann";
  private static final String BOB = "bob";
  private static final int NOT_FOUND = 3;
  private static final int REFUSED = 4;

  @TempDir private Path folder;
  private FileSystem superuser;
  private Marks marks;
  private Shell shell;

  @BeforeEach
  void open(LocalCluster cluster) throws Exception {
    marks = new Marks(folder.resolve("marks"));
    shell = new Shell(cluster, folder);
    superuser = new HdfsFiles(cluster).fs();
    for (String user : List.of(ANN, BOB)) {
      org.apache.hadoop.fs.Path home = new org.apache.hadoop.fs.Path("/user", user);
      superuser.mkdirs(home);
      superuser.setPermission(home, PRIVATE);
      superuser.setOwner(home, user, user);
    }
  }

  @AfterEach
  void close() throws Exception {
    for (String user : List.of(ANN, BOB)) {
      superuser.delete(new org.apache.hadoop.fs.Path("/user", user), true);
    }
    superuser.close();
  }

  private Shell.Ran as(String user, String... command) throws Exception {
    return shell.weir(Map.of("HADOOP_USER_NAME", user), command);
  }

  private Shell.Ran ok(String user, String... command) throws Exception {
    Shell.Ran ran = as(user, command);
    assertThat(ran.code()).as(String.join(" ", command) + ": " + ran).isZero();
    return ran;
  }

  private void refused(String user, String message, String... command) throws Exception {
    Shell.Ran ran = as(user, command);
    assertThat(ran.code()).as(String.join(" ", command) + ": " + ran).isEqualTo(REFUSED);
    assertThat(ran.err()).contains(message).doesNotContain("\tat ");
  }

  /** Starts a run of two tasks; the second waits for its gate. */
  private Shell.Ran run(String user, String data, String... more) throws Exception {
    Workflow workflow =
        new ShellWorkflow("ours")
            .task("sort", "tr ' ' '\\n' < raw.txt | sort > mid.txt", List.of("raw.txt"), MID)
            .task(
                "count",
                marks.recordBegin() + marks.waitFor("count") + "wc -l < mid.txt > out.txt",
                MID,
                List.of("out.txt"))
            .build();
    Path file = folder.resolve("ours.json");
    WfFormatWriter.write(workflow, file);
    Path input = Files.createDirectories(folder.resolve("input"));
    Files.writeString(input.resolve("raw.txt"), "b a\n");
    List<String> command =
        new ArrayList<>(List.of("run", file.toString(), "--data", data, "--workers", "1"));
    // The provenance of mid.txt is queried afterwards.
    command.addAll(List.of("--keep", "all"));
    command.addAll(List.of("--upload", input.toString()));
    command.addAll(List.of("--out", folder.resolve("out").toString()));
    command.addAll(List.of(more));
    return as(user, command.toArray(new String[0]));
  }

  private static final List<String> MID = List.of("mid.txt");

  private String detached(String user, String data) throws Exception {
    Shell.Ran ran = run(user, data, "--detach");
    assertThat(ran.code()).as(ran.toString()).isZero();
    Matcher id = APPLICATION.matcher(ran.err());
    assertThat(id.find()).as(ran.toString()).isTrue();
    return id.group();
  }

  private JsonNode status(String user, String run) throws Exception {
    return new ObjectMapper().readTree(ok(user, "status", run, "--json").out());
  }

  @Test
  void ownRunsWorkAndThoseOfOthersAreRefused() throws Exception {
    String id = detached(ANN, "weir/ours");
    marks.awaitBegun("count", 1);

    assertThat(ok(ANN, "runs", "--live").out()).contains(id);
    assertThat(ok(ANN, "hints", "ls").out()).as("hint sets").contains(ANN);
    assertThat(status(ANN, id).path("notes")).as("notes about missing hints").isEmpty();
    assertThat(ok(BOB, "runs").out()).contains("No runs");
    for (String command : List.of("status", "cancel", "pause", "resume", "prioritise", "retry")) {
      refused(BOB, "is a run of ann, and you are bob", command, id);
    }
    refused(BOB, "is a run of ann, and you are bob", "logs", id, "count");
    assertThat(as(BOB, "provenance", "--run", id).code()).isEqualTo(NOT_FOUND);
    assertThat(as(BOB, "provenance", "/user/ann/weir/ours/mid.txt").code()).isEqualTo(REFUSED);
    refused(BOB, "/user/ann", "hints", "set", "/user/ann/weir/**", "reuse");
    Shell.Ran elsewhere = run(BOB, "/user/ann/weir/mine");
    assertThat(elsewhere.code()).as(elsewhere.toString()).isIn(1, REFUSED);
    assertThat(elsewhere.err()).contains("/user/ann").doesNotContain("\tat ");

    assertThat(ok(ANN, "pause", id).out()).contains("paused");
    assertThat(ok(ANN, "resume", id).out()).contains("resumed");
    marks.open("count");
    assertThat(ok(ANN, "status", id, "--watch").out()).contains("SUCCEEDED", "2 of 2 tasks done");
    FileStatus output =
        superuser.getFileStatus(new org.apache.hadoop.fs.Path("/user/ann/weir/ours/out.txt"));
    assertThat(output.getOwner()).isEqualTo(ANN);

    await()
        .atMost(DEADLINE)
        .untilAsserted(
            () ->
                assertThat(ok(ANN, "provenance", "weir/ours/out.txt").out())
                    .contains("made by", id + " of ann (ours, succeeded)", "raw.txt"));
    assertThat(ok(ANN, "provenance", "--run", "last").out()).contains("2 of 2 done");
  }

  @Test
  void onlyOwnRunsAreReused() throws Exception {
    marks.open("count");
    assertThat(run(ANN, "weir/ours").code()).isZero();

    Shell.Ran again = run(ANN, "weir/ours");

    assertThat(again.code()).as(again.toString()).isZero();
    assertThat(status(ANN, "last").path("reused").asInt()).isEqualTo(2);
    assertThat(run(BOB, "weir/ours").code()).isZero();
    assertThat(status(BOB, "last").path("reused").asInt())
        .as("reused tasks of another user")
        .isZero();
  }

  @Test
  void aSuperuserMayCancelAnyRun() throws Exception {
    String id = detached(ANN, "weir/ours");
    marks.awaitBegun("count", 1);

    assertThat(shell.weir("status", id).out()).contains("RUNNING");
    assertThat(shell.weir("cancel", id).out()).contains("cancelled");

    assertThat(status(ANN, id).path("state").asText()).isEqualTo("CANCELLED");
  }
}
