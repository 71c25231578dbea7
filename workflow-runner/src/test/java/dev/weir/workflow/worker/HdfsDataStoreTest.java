package dev.weir.workflow.worker;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.protocol.Checksum;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.worker.DataStore.Fetched;
import dev.weir.workflow.worker.DataStore.Source;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading one file and many at once, of a real NameNode and two DataNodes, n1 and n2. */
class HdfsDataStoreTest extends HdfsStoreBench {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 130})
  void aFileIsReadAsItWasWrittenAndItsBytesAreCounted(int others) throws Exception {
    String path = "/read" + others + "/it's 50% & 漢字";
    byte[] content = bytes(2 * BLOCK + 4711, others);
    write(path, content);
    awaitReplicas(path);
    java.nio.file.Path target = temp.resolve("target");

    Fetched fetched = find(path, others).fetch(target);

    assertThat(target).hasBinaryContent(content);
    assertThat(fetched.localBytes()).as("both nodes have all").isEqualTo(content.length);
    assertThat(fetched.bytes()).isEqualTo(content.length);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 130})
  void anEmptyFileIsAFile(int others) throws Exception {
    String path = "/empty" + others + "/file";
    write(path, new byte[0]);
    java.nio.file.Path target = temp.resolve("target");

    assertThat(find(path, others).fetch(target).bytes()).isZero();

    assertThat(target).isEmptyFile();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 250})
  void whatIsNotThereOrIsADirectoryIsNotFound(int count) throws Exception {
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
  void manyFilesOfADirectoryTakeFewCalls() throws Exception {
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
    // A page of this NameNode has 100 files, or replicas.
    assertThat(listed - before).isLessThanOrEqualTo(9);
    assertThat(calls()).as("reading asks nothing").isEqualTo(listed);
  }

  @Test
  void aFewFilesOfAGreatDirectoryAreAskedForByName() throws Exception {
    for (int i = 0; i < 600; i++) {
      write("/great/" + i, new byte[0]);
    }
    List<String> paths = new ArrayList<>();
    for (int i = 0; i < 600; i += 5) {
      paths.add("/great/" + i);
    }
    long before = calls();

    assertThat(store.find(slots(paths))).hasSize(120);

    // One page of the listing, of which too little is wanted; then two batches, or pages of them.
    assertThat(calls() - before).isLessThanOrEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 130})
  void aFileThatWasReplacedSinceIsNotTakenForTheOldOne(int others) throws Exception {
    String path = "/replaced" + others + "/file";
    write(path, bytes(100, 1));
    Source source = find(path, others);
    write(path, bytes(100, 2));
    await()
        .atMost(LONG)
        .untilAsserted(
            () -> {
              java.nio.file.Path target = temp.resolve("target");
              Files.deleteIfExists(target);
              try {
                source.fetch(target);
                // As long as the DataNode has not deleted it, it is what was found.
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
  void aReplicaThatIsGoneIsReadElsewhere(int others) throws Exception {
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

  @Test
  void aLargeFileIsReadInItsTurnFromTheNodeThatItNames() throws Exception {
    byte[] content = bytes(2 * BLOCK + 1, 1);
    write("/turns/large", content);
    write("/turns/small", bytes(10, 1));
    List<String> heard = new ArrayList<>();
    ReadTurns turns =
        new ReadTurns() {
          @Override
          public boolean concerns(long bytes) {
            return bytes > BLOCK;
          }

          @Override
          public Turn take(Want want, Holders holders) throws IOException {
            assertThat(want).isEqualTo(new Want(content.length, ""));
            assertThat(holders.now()).containsExactlyInAnyOrder("n1", "n2");
            assertThat(holders.now()).as("looked up again").hasSize(2);
            heard.add("turn");
            return new Turn("n2", null, (whole, fromCache) -> heard.add(whole + " " + fromCache));
          }
        };
    HdfsDataStore taking = new HdfsDataStore(fs, "n1", turns);
    List<FileSlot> wanted = slots(List.of("/turns/large", "/turns/small"));
    awaitReplicas("/turns/large");

    Fetched fetched =
        requireNonNull(taking.find(wanted).get("/turns/large")).fetch(temp.resolve("large"));
    requireNonNull(taking.find(wanted).get("/turns/small")).fetch(temp.resolve("small"));

    assertThat(temp.resolve("large")).hasBinaryContent(content);
    assertThat(fetched.remoteBytes()).isEqualTo(content.length);
    assertThat(heard).containsExactly("turn", "true 0");
  }

  @Test
  void aCopyAheadWaitsWhenItIsToldTo() throws Exception {
    byte[] content = bytes(2 * BLOCK + 1, 1);
    write("/ahead/file", content);
    Source source = requireNonNull(store.find(slots(List.of("/ahead/file"))).get("/ahead/file"));
    List<Integer> pieces = new ArrayList<>();
    java.nio.file.Path target = temp.resolve("ahead");

    Fetched fetched =
        source.fetchAhead(
            target,
            "n2",
            out ->
                new FilterOutputStream(out) {
                  @Override
                  public void write(byte[] bytes, int offset, int length) throws IOException {
                    pieces.add(length);
                    out.write(bytes, offset, length);
                  }
                });

    assertThat(target).hasBinaryContent(content);
    assertThat(fetched.bytes()).isEqualTo(content.length);
    assertThat(pieces).as("each passes whoever makes it wait").hasSizeGreaterThan(1);
  }

  /** A cache that gives all of a content, or the beginning of another. */
  private static ReadTurns giving(byte[] content, int bytes, List<String> heard) {
    return new ReadTurns() {
      @Override
      public boolean concerns(long size) {
        return true;
      }

      @Override
      public Turn take(Want want, Holders holders) {
        heard.add(want.content());
        boolean all = bytes == content.length;
        return new Turn(
            "n9",
            want.content().isEmpty()
                ? null
                : out -> {
                  out.write(all ? content : bytes(bytes, 2), 0, bytes);
                  return all;
                },
            (whole, fromCache) -> heard.add(whole + " " + fromCache));
      }
    };
  }

  @Test
  void whatTheCacheOfAnotherNodeGivesIsTakenIfItIsAllOfItAndElseAllComesFromHdfs()
      throws Exception {
    byte[] content = bytes(2 * BLOCK + 1, 1);
    write("/chain/large", content);
    CRC32C crc = new CRC32C();
    crc.update(content);
    for (int given : List.of(content.length, BLOCK + 7, 0)) {
      List<String> heard = new ArrayList<>();
      HdfsDataStore taking = new HdfsDataStore(fs, "n8", giving(content, given, heard));
      java.nio.file.Path target = temp.resolve("given" + given);
      Source source =
          requireNonNull(taking.find(slots(List.of("/chain/large"))).get("/chain/large"));

      Fetched fetched = source.fetchToShare(target, () -> heard.add("again"));

      assertThat(target).hasBinaryContent(content);
      assertThat(fetched.remoteBytes()).isEqualTo(content.length);
      assertThat(fetched.crc32c()).isEqualTo(Checksum.of(crc));
      String digest = CacheKey.of("/chain/large", source.version().orElseThrow()).digest();
      if (given == content.length) {
        assertThat(heard).containsExactly(digest, "true " + given);
      } else {
        assertThat(heard).containsExactly(digest, "false 0", "again", "", "true 0");
      }
    }
  }

  @Test
  void aFileThatIsReplacedWhileACacheGivesItIsNotPutTogetherOfTwo() throws Exception {
    byte[] content = bytes(BLOCK + 1, 1);
    write("/chain/replaced", content);
    List<String> heard = new ArrayList<>();
    HdfsDataStore taking = new HdfsDataStore(fs, "n8", giving(content, 10, heard));
    Source source =
        requireNonNull(taking.find(slots(List.of("/chain/replaced"))).get("/chain/replaced"));
    write("/chain/replaced", bytes(BLOCK + 1, 2));
    java.nio.file.Path target = temp.resolve("replaced");

    assertThatThrownBy(() -> source.fetchToShare(target, () -> {}))
        .isInstanceOf(ContentChangedException.class);

    assertThat(target).doesNotExist();
    assertThat(heard).endsWith("false 0");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 130})
  void aFileWithoutReplicasIsLost(int others) throws Exception {
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
  void aFileThatIsBeingWrittenIsReadAsFarAsItGoesAndHasNoVersion(int others) throws Exception {
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
  void nobodyReadsByAListingWhatHeMayNotRead(int others) throws Exception {
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
                HdfsDataStore theirs = new HdfsDataStore((DistributedFileSystem) own, "n1");
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
  void aFileIsKnownByTheSameUnderItsTemporaryNameAsWhenItIsCommitted() throws Exception {
    java.nio.file.Path source = temp.resolve("source");
    Files.write(source, bytes(2 * BLOCK + 5, 1));
    store.put(source, "/known/a.weir-1");
    var before = find("/known/a.weir-1", 0).version();
    store.commit("/known/a.weir-1", "/known/a");

    assertThat(before).isPresent().isEqualTo(find("/known/a", 0).version());
    assertThat(before).isEqualTo(find("/known/a", 130).version());
  }

  @Test
  void aBlockIsWrittenDownByTheNameNodeOnce() throws Exception {
    Configuration conf = new Configuration(fs.getConf());
    conf.setLong("dfs.blocksize", 16L * BLOCK);
    conf.setInt("dfs.client.write.max-packets-in-flight", 4);
    java.nio.file.Path source = temp.resolve("source");
    Files.write(source, bytes(2 * BLOCK, 1));
    fs.mkdirs(new Path("/once"));
    try (FileSystem own = FileSystem.newInstance(fs.getUri(), conf)) {
      HdfsDataStore putting = new HdfsDataStore((DistributedFileSystem) own, "n1");
      long before = cluster.getNamesystem().getEditLog().getLastWrittenTxId();

      DataStore.Stored stored = putting.put(source, "/once/a");

      assertThat(stored.bytesByHost()).isNotEmpty();
      // The file, the id and the stamp of its block, the block, and that the file is complete.
      assertThat(cluster.getNamesystem().getEditLog().getLastWrittenTxId() - before).isEqualTo(5);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void whatIsPutIsThereAndItsPlacesAreKnown(int replication) throws Exception {
    Configuration conf = new Configuration(fs.getConf());
    conf.setInt("dfs.replication", replication);
    try (FileSystem own = FileSystem.newInstance(fs.getUri(), conf)) {
      HdfsDataStore putting = new HdfsDataStore((DistributedFileSystem) own, "n1");
      for (int size : new int[] {0, 1000, BLOCK, 2 * BLOCK + 5}) {
        byte[] content = bytes(size, size);
        java.nio.file.Path source = temp.resolve("source" + size);
        Files.write(source, content);
        String path = "/put" + replication + "/" + size;

        DataStore.Stored stored = putting.put(source, path);

        long copies = stored.bytesByHost().values().stream().mapToLong(Long::longValue).sum();
        assertThat(stored.bytesByHost().keySet()).isSubsetOf("n1", "n2");
        // A DataNode that is slow to begin is left out of the write, and of what is known of it.
        assertThat(copies).as(path).isBetween((long) size, (long) replication * size);
        java.nio.file.Path target = temp.resolve("target" + size);
        Fetched fetched =
            requireNonNull(putting.find(slots(List.of(path))).get(path)).fetch(target);
        assertThat(target).hasBinaryContent(content);
        assertThat(fetched.crc32c()).isEqualTo(stored.crc32c());
        String committed = path + ".committed";
        putting.commit(path, committed);
        assertThat(requireNonNull(fs.getClient().getFileInfo(committed)).getFileId())
            .as("the number of %s, also when it is renamed", path)
            .isEqualTo(stored.fileId());
      }
    }
  }

  @Test
  void filesAreFoundByTheBeginningsOfTheirNamesAndTheirLength() throws Exception {
    write("/named/y.weir-1-2", bytes(5, 1));
    write("/named/y.weir-1-3", bytes(6, 1));
    write("/named/y.weir-2-1", bytes(5, 1));
    fs.mkdirs(new Path("/named/y.weir-1-4"));

    assertThat(store.named("/named/y.weir-1-", 5)).containsExactly("/named/y.weir-1-2");
    assertThat(store.named("/named/y.weir-1-", 0)).isEmpty();
    assertThat(store.named("/nowhere/y", 5)).isEmpty();
  }
}
