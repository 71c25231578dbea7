package dev.weir.cli.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cli.common.ExitCode;
import dev.weir.workflow.jobs.JobException;
import dev.weir.workflow.jobs.JobFile;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class RunJobTest {

  @Test
  void copyOptionMarksInputsThatMayBeAltered() {
    RunJob run =
        CommandLine.populateCommand(
            new RunJob(), "--input", "/d/a", "--copy", "/d/b=db/b", "--copy", "/d/c", "--", "true");

    assertThat(run.job().inputs())
        .containsExactly(
            new JobFile("/d/a", "a"),
            new JobFile("/d/b", "db/b").asCopy(),
            new JobFile("/d/c", "c").asCopy());
  }

  @Test
  void intermediateOptionMarksOutputsThatMayStayOnNodes() {
    RunJob run =
        CommandLine.populateCommand(
            new RunJob(), "--output", "a=/d/a", "--intermediate", "b=/d/b", "--", "true");

    assertThat(run.job().outputs())
        .containsExactly(new JobFile("/d/a", "a"), new JobFile("/d/b", "b").asIntermediate());
  }

  @Test
  void onlyTheNameOfASecretIsSent() {
    RunJob run =
        CommandLine.populateCommand(new RunJob(), "--env", "A=a", "--secret", "KEY", "--", "true");

    assertThat(run.job().environment()).isEqualTo(Map.of("A", "a", "KEY", "weir-secret:KEY"));
  }

  @Test
  void invalidNumberIsRefusedWithItsOption() {
    RunJob run = new RunJob();
    new CommandLine(run).parseArgs("--memory", "9007199254740993000", "--", "true");
    assertThatThrownBy(run::job)
        .isInstanceOf(CommandLine.ParameterException.class)
        .hasMessage("memory-mb is 9007199254740993000: give 0 (not known) to 8796093022207");

    RunJob often = new RunJob();
    new CommandLine(often).parseArgs("--attempts", "101", "--", "true");
    assertThatThrownBy(often::job).hasMessageStartingWith("attempts is 101: give 1 to 100");
  }

  @Test
  void refusedJobHasAnExitCodeOfItsOwn() {
    RunJob.Session refusing =
        job -> {
          throw new JobException(422, "/d/a is not in HDFS");
        };

    RunJob run = CommandLine.populateCommand(new RunJob(), "--input", "/d/a", "--", "cat");

    assertThatThrownBy(() -> RunJob.submit(refusing, run.job()))
        .hasMessage("/d/a is not in HDFS")
        .satisfies(refused -> assertThat(ExitCode.of(refused)).isEqualTo(125));
  }
}
