package dev.weir.workflow.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.client.RunResults.Found;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.text.Glob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunResultsTest {

  private static final Workflow CHAIN =
      new Workflow(
          "chain",
          List.of(
              new Task("a", "a", List.of("true"), List.of("in"), List.of("mid"), 1),
              new Task("b", "b", List.of("true"), List.of("mid"), List.of("d/out", "lost"), 1)),
          Map.of(
              "in", new DataFile("in", 1),
              "mid", new DataFile("mid", 1),
              "d/out", new DataFile("d/out", 1),
              "lost", new DataFile("lost", 1)));

  @TempDir private Path temp;
  private RunResults results;

  @BeforeEach
  void make() throws IOException {
    Files.createDirectories(temp.resolve("data/d"));
    Files.writeString(temp.resolve("data/mid"), "mid");
    Files.writeString(temp.resolve("data/d/out"), "result");
    results =
        new RunResults(
            FileSystem.getLocal(new Configuration(false)), CHAIN, temp.resolve("data").toString());
  }

  @Test
  void resultsAreFilesThatNoTaskReads() throws IOException {
    Found found = results.results();

    assertThat(found.present()).containsExactly(new RunResults.Result("d/out", 6));
    assertThat(found.missing()).containsExactly("lost");
    assertThat(found.bytes()).isEqualTo(6);
  }

  @Test
  void otherFilesAreFoundByName() throws IOException {
    assertThat(results.matching(new Glob("m*")).present())
        .containsExactly(new RunResults.Result("mid", 3));
    assertThat(results.matching(new Glob("in")).missing()).containsExactly("in");
  }

  @Test
  void copiesReplaceOlderFiles() throws IOException {
    Path local = temp.resolve("local");
    Files.createDirectories(local.resolve("d"));
    Files.writeString(local.resolve("d/out"), "older");

    results.download(results.results(), local);
    results.publish(
        results.results(),
        new org.apache.hadoop.fs.Path(temp.resolve("published").toUri()),
        new Configuration(false));

    assertThat(local.resolve("d/out")).hasContent("result");
    assertThat(temp.resolve("published/d/out")).hasContent("result");
    assertThat(local.resolve("d").toFile().list()).containsExactly("out");
  }
}
