package dev.weir.cli.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MakeflowFilesTest {

  @TempDir private Path here;
  @TempDir private Path there;
  private MakeflowFiles files;

  @BeforeEach
  void open() throws IOException {
    RawLocalFileSystem hdfs = new RawLocalFileSystem();
    hdfs.initialize(URI.create("file:///"), new Configuration(false));
    files = new MakeflowFiles(hdfs, there.toString(), here);
  }

  private static void write(Path file, String text, long millis) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setLastModifiedTime(file, FileTime.fromMillis(millis));
  }

  @Test
  void missingOrOlderInputIsCopiedToHdfs() throws IOException {
    write(here.resolve("d/in put"), "one", 1_000_000);
    files.provide("d/in put");
    assertThat(there.resolve("d/in put")).hasContent("one");

    write(there.resolve("d/in put"), "old", 1_000_000);
    write(here.resolve("d/in put"), "new", 2_000_000);
    files.provide("d/in put");
    assertThat(there.resolve("d/in put")).hasContent("new");
  }

  @Test
  void currentInputStaysInHdfs() throws IOException {
    write(there.resolve("f"), "abc", 2_000_000);
    write(here.resolve("f"), "xyz", 2_000_000);

    files.provide("f");

    assertThat(there.resolve("f")).hasContent("abc");
  }

  @Test
  void placeholderIsNeverCopied() throws IOException {
    write(there.resolve("f"), "abc", 1_000_000);
    files.fetch("f", false);
    Files.setLastModifiedTime(here.resolve("f"), FileTime.fromMillis(2_000_000));

    files.provide("f");

    assertThat(there.resolve("f")).hasContent("abc");
    Files.delete(there.resolve("f"));
    assertThatThrownBy(() -> files.provide("f"))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining(here.resolve("f") + " only stands for it");
    assertThat(there.resolve("f")).doesNotExist();

    write(here.resolve("f"), "mine", 3_000_000);
    files.provide("f");
    assertThat(there.resolve("f")).hasContent("mine");
  }

  @Test
  void missingInputIsReported() {
    assertThatThrownBy(() -> files.provide("gone"))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining(here.resolve("gone").toString())
        .hasMessageContaining(there.resolve("gone").toString());
  }

  @Test
  void inputInHdfsSuffices() throws IOException {
    write(there.resolve("f"), "abc", 1_000_000);

    files.provide("f");

    assertThat(here.resolve("f")).doesNotExist();
  }

  @Test
  void outputIsFetchedOrReplacedByAPlaceholder() throws IOException {
    write(there.resolve("d/out"), "content", 1_000_000);

    files.fetch("d/out", true);
    assertThat(here.resolve("d/out")).hasContent("content");
    files.fetch("d/out", false);
    assertThat(Files.readAllBytes(here.resolve("d/out"))).isEqualTo(new byte[7]);

    files.provide("d/out");
    assertThat(there.resolve("d/out"))
        .as("the placeholder is not copied over the file")
        .hasContent("content");
    try (var left = Files.list(here.resolve("d"))) {
      assertThat(left)
          .extracting(file -> file.getFileName().toString())
          .containsExactlyInAnyOrder("out", ".out.weir-hole");
    }
  }

  @Test
  void directoryIsNoInput() throws IOException {
    Files.createDirectories(here.resolve("dir"));

    assertThatThrownBy(() -> files.provide("dir")).hasMessageContaining("is a directory");
  }
}
