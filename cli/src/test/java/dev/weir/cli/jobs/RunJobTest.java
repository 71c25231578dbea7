package dev.weir.cli.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.jobs.JobFile;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class RunJobTest {

  @Test
  void whatTheCommandMayAlterIsACopyAndWhatItMayNotIsNone() {
    RunJob run =
        CommandLine.populateCommand(
            new RunJob(), "--input", "/d/a", "--copy", "/d/b=db/b", "--copy", "/d/c", "--", "true");

    assertThat(run.job().inputs())
        .containsExactly(
            new JobFile("/d/a", "a"),
            new JobFile("/d/b", "db/b").asCopy(),
            new JobFile("/d/c", "c").asCopy());
  }
}
