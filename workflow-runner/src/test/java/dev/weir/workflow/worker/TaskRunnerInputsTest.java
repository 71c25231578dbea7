package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.record.ReadFile;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many inputs, replaced inputs, and inputs altered by their only reader. */
class TaskRunnerInputsTest extends TaskRunnerTestBase {

  @Test
  void manyInputsAreLookedUpTogether() throws Exception {
    String[] names = new String[500];
    for (int i = 0; i < names.length; i++) {
      names[i] = "d/" + i;
      store.write("/data/d/" + i, i + "\n");
    }

    TaskReport report = run(shell(slots(names), slots("sum"), "cat d/* | sort -n > sum"));

    assertEnded(report, Result.SUCCEEDED);
    assertThat(store.read("/data/sum").lines()).hasSize(500).startsWith("0", "1", "2");
    assertThat(store.lookups()).isEqualTo(1);
    assertThat(report.inputs()).extracting(ReadFile::name).containsExactly(names);
  }

  @Test
  void inputReplacedAfterTheLookupIsReadInItsNewVersion() throws Exception {
    store.write("/data/a", "old");
    store.beforeFetch(
        target -> {
          if (store.fetches() == 0) {
            store.write("/data/a", "newer");
          }
        });

    TaskReport report = run(shell(slots("a"), slots("c"), "cp a c"));

    assertEnded(report, Result.SUCCEEDED);
    assertThat(store.read("/data/c")).isEqualTo("newer");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "chmod u+w a; echo more >> a",
        "chmod u+w a; printf 5678 > a",
        "touch -r a stamp; chmod u+w a; printf 5678 > a; touch -r stamp a",
        "printf 5678 > b; mv b a",
        "touch -r a b; printf 5678 > b; touch -r a b; mv b a"
      })
  void alteredInputFailsTheTask(String script) throws Exception {
    store.write("/data/a", "1234");

    TaskReport report = run(shell(slots("a"), slots("c"), script + "; touch c"));

    assertEnded(report, Result.FAILED);
    assertThat(report.message()).startsWith("input 'a' altered while the command ran");
    assertThat(store.file("/data/c")).doesNotExist();
  }

  @Test
  void reportOfAFailedCommandNamesTheExitCodeBeforeTheAlteredInput() throws Exception {
    store.write("/data/a", "1234");

    TaskReport report =
        run(shell(slots("a"), slots(), "chmod u+w a; echo more >> a; echo no key >&2; exit 3"));

    assertEnded(report, Result.FAILED);
    assertThat(report.exitCode()).isEqualTo(3);
    assertThat(report.message())
        .startsWith("the command exited with 3; also, input 'a' altered while the command ran");
    assertThat(report.outputTail()).contains("no key");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rm a",
        "chmod 755 a",
        "mv a b; mv b a",
        "ln a b",
        "cat a",
        "ln -s a b",
        "touch a"
      })
  void unchangedContentIsNoAlteration(String script) throws Exception {
    store.write("/data/a", "1234");

    TaskReport report = run(shell(slots("a"), slots("c"), script + "; touch c"));

    assertEnded(report, Result.SUCCEEDED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "echo more >> a",
        "printf 5678 > a",
        "touch -r a stamp; printf 5678 > a; touch -r stamp a",
        "printf 5678 > b; mv b a",
        "rm a"
      })
  void alteredCopyDoesNotChangeTheStore(String script) throws Exception {
    store.write("/data/a", "1234");

    TaskReport report =
        run(shell(copies("a"), slots("c"), "stat -c %A a > c && cat a >> c && " + script));

    assertEnded(report, Result.SUCCEEDED);
    assertThat(store.read("/data/c")).startsWith("-rw-").endsWith("\n1234");
    assertThat(store.read("/data/a")).isEqualTo("1234");
    assertThat(report.inputs()).extracting(ReadFile::name).containsExactly("a");
  }

  @Test
  void copyMayBeTheProgram() throws Exception {
    store.write("/data/a", "#!/bin/sh\necho 5678 > c; echo : >> a\n");

    TaskReport report = run(order(copies("a"), slots("c"), "./a"));

    assertEnded(report, Result.SUCCEEDED);
    assertThat(store.read("/data/c")).isEqualTo("5678\n");
  }

  private static List<FileSlot> copies(String name) {
    return List.of(new FileSlot(name, "/data/" + name, 10).asCopy());
  }

  @Test
  void inputThatIsAlsoAnOutputMayBeAltered() throws Exception {
    store.write("/data/a", "1234");

    TaskReport report = run(shell(slots("a"), slots("a"), "test -w a && printf 5678 >> a"));

    assertEnded(report, Result.SUCCEEDED);
    assertThat(store.read("/data/a")).isEqualTo("12345678");
  }
}
