package dev.weir.workflow.store;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.record.BlockExtent;
import dev.weir.workflow.transfer.ContentChangedException;
import dev.weir.workflow.transfer.DataStore.Fetched;
import dev.weir.workflow.transfer.DataStore.Source;
import dev.weir.workflow.transfer.InputLostException;
import dev.weir.workflow.worker.TestTools;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Looks up and reads single files and many files at once, with a NameNode and DataNodes n1 and n2.
 */
class HdfsDataStoreTest extends HdfsStoreTestBase {

  @Test
  void aStoreThatCannotUseHdfsSaysSoAndMakesNoFile() {
    HdfsDataStore useless = new HdfsDataStore(new DistributedFileSystem(), "n1", TestTools.AT_ONCE);
    List<Throwable> problems = new ArrayList<>();
    java.nio.file.Path target = temp.resolve("useless");

    useless.ifUseless(problems::add);

    assertThat(problems).hasSize(1);
    assertThatThrownBy(() -> useless.fetchRegion(slots(List.of("/a")).get(0), target))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("HDFS cannot be opened");
    assertThat(target).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 130})
  void fileIsReadAsWrittenAndItsBytesAreCounted(int others) throws Exception {
    String path = "/read" + others + "/it's 50% & 漢字";
    byte[] content = bytes(2 * BLOCK + 4711, others);
    write(path, content);
    awaitReplicas(path);
    java.nio.file.Path target = temp.resolve("target");

    Fetched fetched = find(path, others).fetch(target);

    assertThat(target).hasBinaryContent(content);
    assertThat(fetched.localBytes()).as("both nodes have all blocks").isEqualTo(content.length);
    assertThat(fetched.bytes()).isEqualTo(content.length);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 130})
  void emptyFileIsFound(int others) throws Exception {
    String path = "/empty" + others + "/file";
    write(path, new byte[0]);
    java.nio.file.Path target = temp.resolve("target");

    assertThat(find(path, others).fetch(target).bytes()).isZero();

    assertThat(target).isEmptyFile();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 250})
  void missingFilesAndDirectoriesAreNotFound(int count) throws Exception {
    String base = "/some" + count;
    List<String> paths = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      paths.add(base + "/f" + i);
      write(base + "/f" + i, new byte[0]);
    }
    fs.mkdirs(new Path(base + "/directory"));
    paths.addAll(List.of(base + "/missing", base + "/directory", "/nowhere/at all"));
    Collections.shuffle(paths, new Random(1));

    Map<String, Source> found = store.find(slots(paths));

    assertThat(found).hasSize(count);
    assertThat(found.keySet()).allMatch(path -> path.startsWith(base + "/f"));
  }

  @Test
  void manyFilesOfADirectoryAreFoundWithFewCalls() throws Exception {
    List<String> paths = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      write("/many/" + i, bytes(i < 20 ? 10 : 0, i));
      paths.add("/many/" + i);
    }
    long before = calls();

    Map<String, Source> found = store.find(slots(paths));
    long listed = calls();
    for (String path : paths.subList(0, 50)) {
      requireNonNull(found.get(path)).fetch(temp.resolve(path.substring(6)));
    }

    assertThat(found).hasSize(400);
    // A listing of this NameNode returns at most 100 files or replicas.
    assertThat(listed - before).isLessThanOrEqualTo(9);
    assertThat(calls()).as("reading needs no NameNode call").isEqualTo(listed);
  }

  @Test
  void fewFilesOfALargeDirectoryAreLookedUpByName() throws Exception {
    for (int i = 0; i < 600; i++) {
      write("/great/" + i, new byte[0]);
    }
    List<String> paths = new ArrayList<>();
    for (int i = 0; i < 600; i += 5) {
      paths.add("/great/" + i);
    }
    long before = calls();

    assertThat(store.find(slots(paths))).hasSize(120);

    // One page of the listing, which has too few wanted files; then two batches, or pages of them.
    assertThat(calls() - before).isLessThanOrEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 130})
  void replacedFileIsNotMistakenForTheOldOne(int others) throws Exception {
    String path = "/replaced" + others + "/file";
    write(path, bytes(100, 1));
    Source source = find(path, others);
    write(path, bytes(100, 2));
    await()
        .untilAsserted(
            () -> {
              java.nio.file.Path target = temp.resolve("target");
              Files.deleteIfExists(target);
              try {
                source.fetch(target);
                // Until the DataNode deletes the old block, the store reads the content that it
                // looked up.
                assertThat(target).hasBinaryContent(bytes(100, 1));
              } catch (ContentChangedException e) {
                assertThat(target).doesNotExist();
                return;
              }
              throw new AssertionError("the old block is still there");
            });
    assertThat(find(path, others).version()).isNotEqualTo(source.version());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 130})
  void missingReplicaIsReadFromAnotherNode(int others) throws Exception {
    String path = "/gone" + others + "/file";
    byte[] content = bytes(1000, 5);
    write(path, content);
    awaitReplicas(path);
    Source source = find(path, others);
    LocatedBlock block = fs.getClient().getLocatedBlocks(path, 0).get(0);
    assertThat(cluster.getBlockFile(0, block.getBlock()).delete()).isTrue();
    java.nio.file.Path target = temp.resolve("target");

    Fetched fetched = source.fetch(target);

    assertThat(target).hasBinaryContent(content);
    assertThat(fetched.bytes()).isEqualTo(1000);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 130})
  void fileWithoutReplicasIsLost(int others) throws Exception {
    String path = "/lost" + others + "/file";
    write(path, bytes(1000, 5));
    awaitReplicas(path);
    Source source = find(path, others);
    LocatedBlock block = fs.getClient().getLocatedBlocks(path, 0).get(0);
    assertThat(cluster.getBlockFile(0, block.getBlock()).delete()).isTrue();
    assertThat(cluster.getBlockFile(1, block.getBlock()).delete()).isTrue();

    assertThatThrownBy(() -> source.fetch(temp.resolve("target")))
        .isInstanceOf(InputLostException.class);

    assertThat(temp.resolve("target")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 130})
  void openFileIsReadUpToItsLengthAndHasNoVersion(int others) throws Exception {
    String path = "/written" + others + "/file";
    try (var out = fs.create(new Path(path))) {
      out.write("so far".getBytes(StandardCharsets.UTF_8));
      out.hflush();
      java.nio.file.Path target = temp.resolve("target");

      Source source = find(path, others);
      source.fetch(target);

      assertThat(source.version()).isEmpty();
      assertThat(target).hasContent("so far");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 130})
  void listingsDoNotBypassFilePermissions(int others) throws Exception {
    String path = "/secret" + others + "/file";
    write(path, bytes(10, 1));
    find(path, others);
    fs.setPermission(new Path("/secret" + others), new FsPermission((short) 0755));
    fs.setPermission(new Path(path), new FsPermission((short) 0600));
    UserGroupInformation stranger =
        UserGroupInformation.createUserForTesting("stranger", new String[] {"strangers"});

    stranger.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              try (FileSystem own = FileSystem.newInstance(fs.getUri(), fs.getConf())) {
                HdfsDataStore theirs =
                    new HdfsDataStore((DistributedFileSystem) own, "n1", TestTools.AT_ONCE);
                List<String> paths = new ArrayList<>(List.of(path));
                for (int i = 0; i < others; i++) {
                  paths.add("/secret" + others + "/other" + i);
                }
                Source source = requireNonNull(theirs.find(slots(paths)).get(path));
                assertThatThrownBy(() -> source.fetch(temp.resolve("target")))
                    .isInstanceOf(AccessControlException.class);
              }
              return null;
            });
  }

  @Test
  void filesAreFoundByPrefixAndLength() throws Exception {
    write("/named/y.weir-1-2", bytes(5, 1));
    write("/named/y.weir-1-3", bytes(6, 1));
    write("/named/y.weir-2-1", bytes(5, 1));
    fs.mkdirs(new Path("/named/y.weir-1-4"));

    assertThat(store.findByPrefix("/named/y.weir-1-", 5)).containsExactly("/named/y.weir-1-2");
    assertThat(store.findByPrefix("/named/y.weir-1-", 0)).isEmpty();
    assertThat(store.findByPrefix("/nowhere/y", 5)).isEmpty();
  }

  @Test
  void fewPrefixesInALargeDirectoryAreFoundNewestFirst() throws Exception {
    for (int i = 0; i < 250; i++) {
      write("/crowd/" + i, new byte[0]);
    }
    for (String name : List.of("y.weir-1-2", "y.weir-1-漢", "y.weir-1-7", "y.weir-2-1", "z")) {
      write("/crowd/" + name, bytes(5, 1));
    }
    long before = calls();

    assertThat(store.findByPrefix("/crowd/y.weir-1-", 5))
        .containsExactly("/crowd/y.weir-1-7", "/crowd/y.weir-1-漢", "/crowd/y.weir-1-2");

    assertThat(calls() - before).isEqualTo(1);
  }

  @Test
  void extentsOfAMissingFileThrow() throws Exception {
    write("/extents/there", bytes(BLOCK + 5, 1));

    assertThat(store.extents("/extents/there"))
        .extracting(BlockExtent::length)
        .containsExactly((long) BLOCK, 5L);
    assertThatThrownBy(() -> store.extents("/extents/none"))
        .isInstanceOf(FileNotFoundException.class);
  }

  @Test
  void regionsAreLookedUpTogetherBeforeTheJoin() throws Exception {
    List<String> regions = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      regions.add("/joined/y@" + i + "+1");
      write(regions.get(i), bytes(1, i));
    }
    long before = calls();

    assertThat(store.join(regions, "/joined/y")).isEmpty();

    assertThat(calls() - before).isLessThanOrEqualTo(8);
    assertThat(fs.getFileStatus(new Path("/joined/y")).getLen()).isEqualTo(30);
  }

  @Test
  void joinReusesTheClosedFileOfAnEarlierCall() throws Exception {
    write("/rejoined/a", bytes(3, 1));
    write("/rejoined/b", bytes(4, 1));
    write("/rejoined/made", new byte[0]);
    long made = id("/rejoined/made");
    try (var open = fs.create(new Path("/rejoined/open"))) {
      open.hflush();
      assertThat(store.join(List.of("/rejoined/a"), "/rejoined/made")).isEmpty();
      assertThat(store.join(List.of("/rejoined/b"), "/rejoined/open")).isEmpty();
    } catch (RemoteException e) {
      // A writer that had the file open finds it replaced.
      assertThat(e).hasMessageContaining("File does not exist: /rejoined/open");
    }

    // If the file had been replaced, late data of the earlier call would be lost with it.
    assertThat(id("/rejoined/made")).isEqualTo(made);
    assertThat(fs.getFileStatus(new Path("/rejoined/made")).getLen()).isEqualTo(3);
    assertThat(fs.getFileStatus(new Path("/rejoined/open")).getLen()).isEqualTo(4);
  }

  private static long id(String path) throws IOException {
    return fs.getClient().getFileInfo(path).getFileId();
  }

  @Test
  void failureToOpenIsReported() {
    CompletableFuture<DistributedFileSystem> opened = new CompletableFuture<>();
    HdfsDataStore waiting = new HdfsDataStore(opened, "n1", TestTools.AT_ONCE);

    opened.completeExceptionally(new IOException("no such host"));

    assertThatThrownBy(() -> waiting.find(List.of()))
        .isInstanceOf(IOException.class)
        .hasMessage("HDFS cannot be opened: java.io.IOException: no such host");
    waiting.readBatch(List.of());
  }
}
