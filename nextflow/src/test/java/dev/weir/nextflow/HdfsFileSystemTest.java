package dev.weir.nextflow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The JDK's calls, over Hadoop's file system of a local directory. */
class HdfsFileSystemTest {

  @TempDir private Path temp;
  private HdfsFileSystem fs;
  private Path root;

  @BeforeEach
  void open() throws IOException {
    fs = new HdfsFileSystemProvider(FileSystem.getLocal(new Configuration())).fileSystem();
    root = fs.getPath(temp.toString());
  }

  @Test
  void filesAreWrittenAndRead() throws IOException {
    Path file = root.resolve("a b%20#?.txt");

    Files.writeString(file, "one\ntwo\n");

    assertThat(Files.readString(file)).isEqualTo("one\ntwo\n");
    assertThat(Files.readAllLines(file)).containsExactly("one", "two");
    assertThat(Files.readString(temp.resolve("a b%20#?.txt"))).isEqualTo("one\ntwo\n");
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    assertThat(attributes.size()).isEqualTo(8);
    assertThat(attributes.isRegularFile()).isTrue();
    assertThat(attributes.lastModifiedTime().toMillis())
        .isEqualTo(Files.getLastModifiedTime(temp.resolve("a b%20#?.txt")).toMillis());
  }

  @Test
  void missingDirectoriesAreNotCreated() {
    assertThatThrownBy(() -> Files.writeString(root.resolve("none/a"), ""))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> Files.createDirectory(root.resolve("none/a")))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> Files.readString(root.resolve("none")))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> Files.list(root.resolve("none")))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(Files.exists(root.resolve("none"))).isFalse();
  }

  @Test
  void existingFilesAreNotCreated() throws IOException {
    Path file = Files.createFile(root.resolve("a"));

    assertThatThrownBy(() -> Files.createFile(file)).isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> Files.createDirectory(file))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> Files.list(file)).isInstanceOf(NotDirectoryException.class);
  }

  @Test
  void directoriesAreListedAndWalked() throws IOException {
    Files.createDirectories(root.resolve("d/e"));
    Files.writeString(root.resolve("d/e/f"), "");

    try (Stream<Path> below = Files.walk(root.resolve("d"))) {
      assertThat(below.map(path -> root.relativize(path).toString()))
          .containsExactly("d", "d/e", "d/e/f");
    }
    assertThatThrownBy(() -> Files.delete(root.resolve("d/e"))).isInstanceOf(IOException.class);
    Files.delete(root.resolve("d/e/f"));
    Files.delete(root.resolve("d/e"));
    assertThatThrownBy(() -> Files.delete(root.resolve("d/e")))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void filesAreCopiedAndMoved() throws IOException {
    Path one = Files.writeString(root.resolve("one"), "1");
    Path two = Files.writeString(root.resolve("two"), "2");

    Files.copy(one, root.resolve("three"));
    assertThatThrownBy(() -> Files.copy(one, two)).isInstanceOf(FileAlreadyExistsException.class);
    Files.move(one, two, StandardCopyOption.REPLACE_EXISTING);

    assertThat(Files.exists(one)).isFalse();
    assertThat(Files.readString(two)).isEqualTo("1");
    assertThat(Files.readString(root.resolve("three"))).isEqualTo("1");
    Files.copy(two, temp.resolve("local"));
    assertThat(temp.resolve("local")).hasContent("1");
  }

  @Test
  void aFileIsItsOwnCopy() throws IOException {
    Path one = Files.writeString(root.resolve("one"), "1");
    Path same = root.resolve("none/../one");

    Files.copy(one, same);
    Files.copy(one, same, StandardCopyOption.REPLACE_EXISTING);
    Files.move(one, same, StandardCopyOption.REPLACE_EXISTING);

    assertThat(Files.readString(one)).isEqualTo("1");
    assertThatThrownBy(() -> Files.move(root.resolve("two"), root.resolve("two")))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void copiesReplaceFilesAndLeaveNoOthers() throws IOException {
    Path one = Files.writeString(root.resolve("one"), "1");
    Path two = Files.writeString(root.resolve("two"), "2");
    Files.createDirectories(root.resolve("d/e"));

    Files.copy(one, two, StandardCopyOption.REPLACE_EXISTING);
    assertThatThrownBy(
            () -> Files.copy(one, root.resolve("d"), StandardCopyOption.REPLACE_EXISTING))
        .isInstanceOf(IOException.class);

    assertThat(Files.readString(two)).isEqualTo("1");
    try (Stream<Path> files = Files.list(root)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("one", "two", "d");
    }
  }

  @Test
  void moveThatCannotBeAtomicIsRefused() throws IOException {
    Path one = Files.writeString(root.resolve("one"), "1");
    Path two = Files.writeString(root.resolve("two"), "2");

    assertThatThrownBy(() -> Files.move(one, two, StandardCopyOption.ATOMIC_MOVE))
        .isInstanceOf(AtomicMoveNotSupportedException.class);
    Files.move(one, root.resolve("three"), StandardCopyOption.ATOMIC_MOVE);

    assertThat(Files.readString(root.resolve("three"))).isEqualTo("1");
    assertThat(Files.readString(two)).isEqualTo("2");
  }

  @Test
  void channelsReadFromAnyPosition() throws IOException {
    Path file = root.resolve("a");
    try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.CREATE)) {
      out.write("0123456789".getBytes(UTF_8));
    }

    try (SeekableByteChannel in = Files.newByteChannel(file)) {
      ByteBuffer three = ByteBuffer.allocate(3);
      in.position(7).read(three);

      assertThat(new String(three.array(), UTF_8)).isEqualTo("789");
      assertThat(in.position()).isEqualTo(10);
      assertThat(in.size()).isEqualTo(10);
    }
  }

  @Test
  void pathsBehaveAsLocalOnes() {
    Path path = fs.getPath("/a/b/../c.txt");

    assertThat(path.normalize()).isEqualTo(fs.getPath("/a/c.txt")).hasToString("/a/c.txt");
    assertThat(path.getParent()).isEqualTo(fs.getPath("/a/b/.."));
    assertThat(fs.getPath("/a").relativize(fs.getPath("/a/b/c"))).hasToString("b/c");
    assertThat(fs.getPath("/a").resolve("b")).isEqualTo(fs.getPath("/a/b"));
    assertThat(fs.getPath("/")).satisfies(top -> assertThat(top.getFileName()).isNull());
    assertThat(fs.getPath("/a")).isNotEqualTo(Path.of("/a"));
    assertThat(fs.getPathMatcher("glob:**.txt").matches(fs.getPath("a/b.txt"))).isTrue();
    assertThat(fs.getPath("/a b").toUri()).isEqualTo(URI.create("file:/a%20b"));
  }

  @Test
  void otherClustersAreRefused() {
    assertThat(fs.provider().getPath(URI.create("file:///a"))).isEqualTo(fs.getPath("/a"));
    assertThatThrownBy(() -> fs.provider().getPath(URI.create("file://other/a")))
        .hasMessageContaining("is not in the file system of the cluster");
  }

  @Test
  void directoriesAreStagedFileByFile() throws IOException {
    Files.createDirectories(root.resolve("d/e"));
    Path f = Files.writeString(root.resolve("d/e/f"), "");
    Path one = Files.writeString(root.resolve("one"), "");

    StagedInputs inputs =
        StagedInputs.of(Map.of("dir", root.resolve("d"), "./a", one, "again/b", one));

    assertThat(inputs.files()).isEqualTo(Map.of("dir/e/f", f, "a", one));
    assertThat(inputs.links()).isEqualTo(Map.of("again/b", "a"));
    assertThat(List.copyOf(inputs.names())).containsExactly("a", "again/b", "dir/e/f");
    assertThatThrownBy(() -> StagedInputs.of(Map.of("x", temp)))
        .hasMessageContaining("is not in HDFS");
  }
}
