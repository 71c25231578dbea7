package dev.weir.workflow.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.weir.workflow.client.RunResults.Found;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.run.OneNodeHdfs;
import dev.weir.workflow.text.Glob;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
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

  private static final org.apache.hadoop.fs.Path DATA = new org.apache.hadoop.fs.Path("/data");

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  @TempDir private Path temp;
  private RunResults results;

  @BeforeEach
  void make() throws IOException {
    HDFS.fs().delete(DATA, true);
    write("mid", "mid");
    write("d/out", "result");
    results = new RunResults(HDFS.fs(), CHAIN, "/data");
  }

  private static void write(String file, String content) throws IOException {
    try (OutputStream out = HDFS.fs().create(new org.apache.hadoop.fs.Path(DATA, file))) {
      out.write(content.getBytes(UTF_8));
    }
  }

  private static String read(String file) throws IOException {
    try (InputStream in = HDFS.fs().open(new org.apache.hadoop.fs.Path(DATA, file))) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  private org.apache.hadoop.fs.Path local(String directory) {
    return new org.apache.hadoop.fs.Path(temp.resolve(directory).toUri());
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
    results.publish(results.results(), local("published"), HDFS.fs().getConf());
    results.publish(results.results(), local("published"), HDFS.fs().getConf());

    assertThat(local.resolve("d/out")).hasContent("result");
    assertThat(temp.resolve("published/d/out")).hasContent("result");
    assertThat(local.resolve("d").toFile().list()).containsExactly("out");
    assertThat(read("d/out")).isEqualTo("result");
  }

  @Test
  void moveWithinHdfsIsARename() throws IOException {
    write("final/d/out", "older");
    long inode = inode("d/out");

    results.move(
        results.results(), new org.apache.hadoop.fs.Path(DATA, "final"), HDFS.fs().getConf());

    assertThat(inode("final/d/out")).isEqualTo(inode);
    assertThat(results.results().present()).isEmpty();
  }

  private static long inode(String file) throws IOException {
    return HDFS.fs().getClient().getFileInfo("/data/" + file).getFileId();
  }

  @Test
  void moveToAnotherFileSystemDeletesTheOriginal() throws IOException {
    results.move(results.results(), local("published"), HDFS.fs().getConf());

    assertThat(temp.resolve("published/d/out")).hasContent("result");
    assertThat(results.results().present()).isEmpty();
  }

  @Test
  void moveThatFailsLosesNoFile() throws IOException {
    Files.writeString(temp.resolve("file"), "not a directory");

    assertThatIOException()
        .isThrownBy(() -> results.move(results.results(), local("file"), HDFS.fs().getConf()))
        .withMessageContaining("after 0 of 1 files")
        .withMessageContaining("stay in hdfs://");

    assertThat(read("d/out")).isEqualTo("result");
  }

  @Test
  void moveToTheDirectoryOfTheResultsLosesNoFile() throws IOException {
    results.move(results.results(), DATA, HDFS.fs().getConf());
    // The same directory under a URI that differs.
    URI here = HDFS.fs().getUri();
    org.apache.hadoop.fs.Path alias =
        new org.apache.hadoop.fs.Path("hdfs://127.0.0.1:" + here.getPort() + "/data");

    assertThatIOException()
        .isThrownBy(() -> results.move(results.results(), alias, HDFS.fs().getConf()))
        .withMessageContaining("by another name");

    assertThat(read("d/out")).isEqualTo("result");
  }
}
