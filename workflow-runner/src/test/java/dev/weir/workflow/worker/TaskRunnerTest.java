package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.record.ReadFile;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.staging.TaskSecrets;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The inputs, environment and outputs of a command. */
class TaskRunnerTest extends TaskRunnerTestBase {

  @Test
  void readsTheInputsRunsTheCommandAndCommitsTheOutputs() throws Exception {
    store.write("/data/a", "1234");
    store.write("/data/b", "56789");
    store.moveToAnotherNode("/data/b");

    TaskReport report = run(shell(slots("a", "b"), slots("c"), "cat a b > c"));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(store.read("/data/c")).isEqualTo("123456789");
    assertThat(report.exitCode()).isZero();
    assertThat(report.outputs())
        .containsExactly(
            new StoredFile(
                "c",
                9,
                Map.of("here", 9L, "elsewhere", 9L),
                0xe3069283L,
                List.of(),
                store.fileIdOf("/data/c")));
    assertThat(report.inputs())
        .containsExactly(
            new ReadFile("a", 4, 0xf63af4eeL),
            new ReadFile("b", 5, 0x83b565d8L, Map.of("far", 5L), Map.of()));
    assertThat(report.usage().inputBytesLocal()).isEqualTo(4);
    assertThat(report.usage().inputBytesRemote()).isEqualTo(5);
    assertThat(report.usage().outputBytes()).isEqualTo(9);
    assertThat(report.usage().outputBytesRemote()).isEqualTo(9);
    assertThat(everythingBelow("sandboxes")).isEmpty();
    assertThat(everythingBelow("store")).hasSize(3);
    assertThat(everythingBelow("logs"))
        .as("empty directories are reused by the next attempt")
        .isNotEmpty()
        .allMatch(log -> log.toFile().length() == 0);
  }

  @Test
  void unusualFileNamesWork() throws Exception {
    String odd = "deep/er dir/it's \"50%\" & $HOME;*?\\#+,{x}=.dat";
    store.write("/data/" + odd, "odd");

    TaskReport report =
        run(
            order(
                slots(odd),
                slots("out/" + odd),
                "sh",
                "-c",
                "cp \"$1\" \"$2\"",
                "sh",
                odd,
                "out/" + odd));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(store.read("/data/out/" + odd)).isEqualTo("odd");
  }

  @Test
  void nonAsciiFileNamesWork() throws Exception {
    assumeThat(Charset.forName(System.getProperty("sun.jnu.encoding")).name()).isEqualTo("UTF-8");
    String odd = "\u00e9t\u00e9 \u6f22\u5b57.dat";
    store.write("/data/" + odd, "odd");

    TaskReport report =
        run(
            order(
                slots(odd),
                slots("o" + odd),
                "sh",
                "-c",
                "cp \"$1\" \"$2\"",
                "sh",
                odd,
                "o" + odd));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(store.read("/data/o" + odd)).isEqualTo("odd");
  }

  @Test
  void sandboxHoldsExactlyTheDeclaredInputs() throws Exception {
    store.write("/data/a", "");
    store.write("/data/sub/b", "");
    store.write("/data/undeclared", "");

    TaskReport report =
        run(
            shell(
                slots("a", "sub/b"),
                slots("listing"),
                "find . -type f > $TMPDIR/l; mv $TMPDIR/l listing"));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(store.read("/data/listing").lines().sorted()).containsExactly("./a", "./sub/b");
  }

  @Test
  void undeclaredOutputsAreDiscardedWithoutFailure() throws Exception {
    String script = "echo fit > fit.txt; echo undeclared > diff.fits; mkdir d; echo more > d/x";

    TaskReport report = run(shell(slots(), slots("fit.txt"), script));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(everythingBelow("store"))
        .singleElement()
        .satisfies(file -> assertThat(file.getFileName()).hasToString("fit.txt"));
    assertThat(everythingBelow("sandboxes")).isEmpty();
  }

  @Test
  void commandSeesItsOwnVariablesAndNoSecrets() throws Exception {
    TaskReport report = run(shell(slots(), slots("env"), "env > env"));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(store.read("/data/env"))
        .contains("MINE=a b\n", "WEIR_TASK=task\n", "HOME=/home\n")
        .doesNotContain("secret");
  }

  @Test
  void jobCannotOverrideTheIdentityVariables() throws Exception {
    TaskReport report =
        run(inEnvironment(shell(slots(), slots("env"), "env > env"), Map.of("WEIR_TASK", "outer")));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(store.read("/data/env")).contains("WEIR_TASK=task\n").doesNotContain("outer");
  }

  @Test
  void commandGetsTheSecretsThatItsVariablesReference() throws Exception {
    TaskReport report =
        run(
            inEnvironment(
                shell(slots(), slots("env"), "env > env"),
                Map.of("API_KEY", TaskSecrets.reference("KEY"))));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(store.read("/data/env")).contains("API_KEY=a 'secret'\n");
  }

  @Test
  void commandWithAMissingSecretDoesNotRun() throws Exception {
    TaskReport report =
        run(
            inEnvironment(
                shell(slots(), slots("env"), "env > env"),
                Map.of("API_KEY", TaskSecrets.reference("OTHER"))));

    assertThat(report.result()).isNotEqualTo(Result.SUCCEEDED);
    assertThat(report.message()).contains("no secrets [OTHER]");
  }

  /**
   * The shell would pass such a variable as an argument of env, which every user of the node can
   * read.
   */
  @Test
  void secretInAVariableThatBashCannotSetIsRefused() throws Exception {
    TaskReport report =
        run(
            inEnvironment(
                shell(slots(), slots("env"), "env > env"),
                Map.of("BASH_TOKEN", TaskSecrets.reference("KEY"))));

    assertThat(report.result()).isNotEqualTo(Result.SUCCEEDED);
    assertThat(report.message()).contains("bash cannot set the variable BASH_TOKEN");
  }

  @Test
  void processorTimeAndMemoryAreMeasured() throws Exception {
    String eightMegabytes = "x=$(head -c 8000000 /dev/zero | tr '\\0' x)";
    String busyForLong = "i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done";
    // Both commands start through the same shell; usage of the first must not count for the second.
    TaskReport large =
        run(
            shell(
                slots(), slots("c"), eightMegabytes + "; " + busyForLong + "; sleep 1; echo > c"));
    TaskReport small = run(shell(slots(), slots("c"), "echo > c"));

    assertThat(large.result()).as(large.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(large.effort().peakMemoryBytes()).isGreaterThan(8_000_000);
    assertThat(large.effort().cpuMillis()).isPositive();
    assertThat(small.effort().cpuMillis()).isLessThan(large.effort().cpuMillis());
  }

  @Test
  void filesLeftInTheTemporaryDirectoryAreIgnored() throws Exception {
    TaskReport report = run(shell(slots(), slots("c"), "touch c $TMPDIR/x"));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(everythingBelow("sandboxes")).isEmpty();
  }

  @Test
  void programAmongTheInputsIsMadeExecutable() throws Exception {
    store.write("/data/bin/tool", "#!/bin/sh\necho tool > out\n");

    TaskReport report = run(order(slots("bin/tool"), slots("out"), "./bin/tool"));

    assertThat(report.result())
        .as(report.message() + report.outputTail())
        .isEqualTo(Result.SUCCEEDED);
  }

  @Test
  void standInCommandReadsSleepsAndWritesDeclaredSizes() throws Exception {
    store.write("/data/a", "1234");
    List<FileSlot> outputs =
        List.of(new FileSlot("big", "/data/big", 100_000), new FileSlot("none", "/data/none", 0));

    TaskReport report =
        run(
            new TaskOrder(
                "task",
                1,
                "1-1",
                List.of(),
                slots("a"),
                outputs,
                Map.of(),
                true,
                30,
                ResourceNeeds.ONE_CORE));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(store.file("/data/big")).hasSize(100_000);
    assertThat(store.file("/data/none")).hasSize(0);
    assertThat(report.usage().runMillis()).isGreaterThanOrEqualTo(30);
    assertThat(report.usage().inputBytesLocal()).isEqualTo(4);
  }
}
