package dev.weir.workflow.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiscardedFilesTest {

  @TempDir private Path temp;
  private Path place;
  private DiscardedFiles discarded;

  @BeforeEach
  void make() {
    place = temp.resolve("discarded");
    discarded = new DiscardedFiles(place);
  }

  private Path directory(String name) throws IOException {
    Path directory = temp.resolve(name);
    Files.createDirectories(directory.resolve("deep"));
    Files.writeString(directory.resolve("deep/tiny"), "x");
    return directory;
  }

  @Test
  void smallDirectoryIsKeptForReuse() throws Exception {
    Path first = directory("a");
    Path second = directory("b");

    assertThat(discarded.add(first)).isTrue();
    assertThat(discarded.add(second)).isTrue();

    assertThat(first).doesNotExist();
    assertThat(second).doesNotExist();
    assertThat(place).isDirectoryRecursivelyContaining("glob:**/deep/tiny");
  }

  @Test
  void largeDirectoryIsDeleted() throws Exception {
    Path directory = directory("a");
    Files.write(directory.resolve("large"), new byte[100_000]);

    assertThat(discarded.add(directory)).isTrue();

    assertThat(directory).doesNotExist();
    assertThat(place).isDirectoryNotContaining("glob:**/large");
  }

  @Test
  void symbolicLinkIsDeleted() throws Exception {
    Path content = Files.writeString(temp.resolve("content"), "x");
    Path directory = directory("a");
    Files.createLink(directory.resolve("link"), content);

    assertThat(discarded.add(directory)).isTrue();

    assertThat(Files.getAttribute(content, "unix:nlink")).isEqualTo(1);
  }

  @Test
  void missingDirectoryIsNotTaken() {
    assertThat(discarded.add(temp.resolve("nowhere"))).isFalse();
  }

  @Test
  void everythingIsDeletedOnRequest() throws Exception {
    assertThat(discarded.add(directory("a"))).isTrue();

    discarded.clear();

    assertThat(place).doesNotExist();
    assertThat(discarded.add(directory("b"))).isTrue();
  }

  @Test
  void emptyLogIsReused() throws Exception {
    Path used = Files.createFile(temp.resolve("a.stdout"));
    Path written = Files.writeString(temp.resolve("b.stdout"), "said");
    Object inode = Files.getAttribute(used, "unix:ino");

    discarded.discardLog(used);
    discarded.discardLog(written);
    discarded.discardLog(temp.resolve("none"));
    discarded.reuseLog(temp.resolve("c.stdout"));
    discarded.reuseLog(temp.resolve("d.stdout"));

    assertThat(used).doesNotExist();
    assertThat(written).hasContent("said");
    assertThat(Files.getAttribute(temp.resolve("c.stdout"), "unix:ino")).isEqualTo(inode);
    assertThat(temp.resolve("d.stdout")).doesNotExist();
  }

  @Test
  void numberOfKeptLogsIsBounded() throws Exception {
    for (int i = 0; i < 40; i++) {
      discarded.discardLog(Files.createFile(temp.resolve("log" + i)));
    }

    try (var files = Files.list(temp)) {
      assertThat(files.filter(file -> file.getFileName().toString().startsWith("log")))
          .hasSizeLessThan(20);
    }
  }

  @Test
  void logInUseByALaterAttemptIsNotReused() throws Exception {
    Path again = Files.createFile(temp.resolve("again"));
    Path other = Files.createFile(temp.resolve("other"));
    discarded.discardLog(again);
    discarded.discardLog(other);

    discarded.reuseLog(again);
    Files.writeString(again, "what it prints");
    discarded.reuseLog(temp.resolve("third"));

    assertThat(again).hasContent("what it prints");
    assertThat(temp.resolve("third")).doesNotExist();
  }
}
