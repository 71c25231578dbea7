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
  private DiscardedFiles leavings;

  @BeforeEach
  void make() {
    place = temp.resolve("leavings");
    leavings = new DiscardedFiles(place);
  }

  private Path directory(String name) throws IOException {
    Path directory = temp.resolve(name);
    Files.createDirectories(directory.resolve("deep"));
    Files.writeString(directory.resolve("deep/tiny"), "x");
    return directory;
  }

  @Test
  void whatIsTinyIsPutAside() throws Exception {
    Path first = directory("a");
    Path second = directory("b");

    assertThat(leavings.take(first)).isTrue();
    assertThat(leavings.take(second)).isTrue();

    assertThat(first).doesNotExist();
    assertThat(second).doesNotExist();
    assertThat(place).isDirectoryRecursivelyContaining("glob:**/deep/tiny");
  }

  @Test
  void whatIsLargeIsDeleted() throws Exception {
    Path directory = directory("a");
    Files.write(directory.resolve("large"), new byte[100_000]);

    assertThat(leavings.take(directory)).isTrue();

    assertThat(directory).doesNotExist();
    assertThat(place).isDirectoryNotContaining("glob:**/large");
  }

  @Test
  void aLinkIsDeleted() throws Exception {
    Path content = Files.writeString(temp.resolve("content"), "x");
    Path directory = directory("a");
    Files.createLink(directory.resolve("link"), content);

    assertThat(leavings.take(directory)).isTrue();

    assertThat(Files.getAttribute(content, "unix:nlink")).isEqualTo(1);
  }

  @Test
  void whatIsNotThereIsNotTaken() {
    assertThat(leavings.take(temp.resolve("nowhere"))).isFalse();
  }

  @Test
  void allOfItIsDeletedWhenSomebodyWantsTheRoom() throws Exception {
    assertThat(leavings.take(directory("a"))).isTrue();

    leavings.clear();

    assertThat(place).doesNotExist();
    assertThat(leavings.take(directory("b"))).isTrue();
  }

  @Test
  void anEmptyLogIsTheNextOnes() throws Exception {
    Path used = Files.createFile(temp.resolve("a.stdout"));
    Path written = Files.writeString(temp.resolve("b.stdout"), "said");
    Object inode = Files.getAttribute(used, "unix:ino");

    leavings.takeLog(used);
    leavings.takeLog(written);
    leavings.takeLog(temp.resolve("none"));
    leavings.giveLog(temp.resolve("c.stdout"));
    leavings.giveLog(temp.resolve("d.stdout"));

    assertThat(used).doesNotExist();
    assertThat(written).hasContent("said");
    assertThat(Files.getAttribute(temp.resolve("c.stdout"), "unix:ino")).isEqualTo(inode);
    assertThat(temp.resolve("d.stdout")).doesNotExist();
  }

  @Test
  void logsAreNotKeptWithoutEnd() throws Exception {
    for (int i = 0; i < 40; i++) {
      leavings.takeLog(Files.createFile(temp.resolve("log" + i)));
    }

    try (var files = Files.list(temp)) {
      assertThat(files.filter(file -> file.getFileName().toString().startsWith("log")))
          .hasSizeLessThan(20);
    }
  }

  @Test
  void aLogThatAnotherAttemptOfItsNameHasNowIsNobodyElses() throws Exception {
    Path again = Files.createFile(temp.resolve("again"));
    Path other = Files.createFile(temp.resolve("other"));
    leavings.takeLog(again);
    leavings.takeLog(other);

    leavings.giveLog(again);
    Files.writeString(again, "what it prints");
    leavings.giveLog(temp.resolve("third"));

    assertThat(again).hasContent("what it prints");
    assertThat(temp.resolve("third")).doesNotExist();
  }
}
