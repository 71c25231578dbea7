package dev.weir.service.reconcile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.weir.hints.DaemonThreadFactory;
import dev.weir.hints.HintSettings;
import dev.weir.hints.store.ZooKeeperClients;
import dev.weir.service.auto.AutoPaths;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.KeeperException.BadVersionException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Stores the state in ZooKeeper below {@code ROOT/reconciler}. {@code state} has the position and
 * the current generation of the recorded files; their pieces are in {@code files-GENERATION}. The
 * state is written last, so the generation that it names is complete. It is written only over the
 * version last read or written here, so a former leader cannot overwrite its successor's state. Not
 * thread-safe.
 */
final class ZooKeeperReconcilerStore implements ReconcilerStore, AutoPaths {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int ABSENT = -1;

  /** ZooKeeper's own limit is 1 MiB for a request. */
  private static final int MAX_PATHS_BYTES = 1_000_000;

  private static final int SESSION_MILLIS = 15_000;
  private static final int CONNECT_MILLIS = 5_000;

  private final CuratorFramework client;
  private final String root;

  /** The version of the state as last read or written here; absent if there was none. */
  private int version = ABSENT;

  private String generation = "";
  private int pieces;

  /** The files of the current generation; null if not known. */
  private @Nullable List<ExpirableFile> files;

  private int pathsVersion = ABSENT;

  private ZooKeeperReconcilerStore(CuratorFramework client, String root) {
    this.client = client;
    this.root = root;
  }

  /**
   * Connects to ZooKeeper.
   *
   * @throws IOException if that takes too long
   */
  static ZooKeeperReconcilerStore open(HintSettings settings) throws IOException {
    CuratorFramework client =
        ZooKeeperClients.builder(settings)
            .sessionTimeoutMs(SESSION_MILLIS)
            .connectionTimeoutMs(CONNECT_MILLIS)
            .retryPolicy(new RetryNTimes(3, 500))
            .threadFactory(DaemonThreadFactory.numbered("reconciler-zookeeper-"))
            .build();
    client.start();
    try {
      if (!client.blockUntilConnected(CONNECT_MILLIS, TimeUnit.MILLISECONDS)) {
        throw new IOException("no ZooKeeper session with " + settings.quorum());
      }
      return new ZooKeeperReconcilerStore(client, settings.root() + "/reconciler");
    } catch (IOException e) {
      client.close();
      throw e;
    } catch (InterruptedException e) {
      client.close();
      throw interrupted(e);
    }
  }

  @Override
  public Optional<Saved> load() throws IOException {
    try {
      version = ABSENT;
      files = null;
      Stat stat = new Stat();
      JsonNode state =
          MAPPER.readTree(client.getData().storingStatIn(stat).forPath(root + "/state"));
      version = stat.getVersion();
      generation = state.path("generation").asText();
      pieces = state.path("pieces").asInt();
      List<ExpirableFile> read = new ArrayList<>();
      for (int piece = 0; piece < pieces; piece++) {
        read.addAll(ExpirableFilesCodec.decode(client.getData().forPath(piece(generation, piece))));
      }
      files = List.copyOf(read);
      return Optional.of(
          new Saved(
              state.path("transaction").asLong(),
              Instant.ofEpochMilli(state.path("time").asLong()),
              read));
    } catch (NoNodeException e) {
      return Optional.empty();
    } catch (Exception e) {
      throw failed("read the reconciler's state", e);
    }
  }

  @Override
  public void save(Saved saved) throws IOException {
    try {
      List<ExpirableFile> present = List.copyOf(saved.files());
      if (present.equals(files)) {
        writeState(saved);
        return;
      }
      files = null;
      // Listed before the state is written: generations that a successor writes later must not be
      // dropped.
      List<String> old = generations();
      writePieces(saved);
      writeState(saved);
      files = present;
      drop(old);
    } catch (BadVersionException | NodeExistsException e) {
      throw new IOException(
          "another instance has saved in "
              + root
              + "/state meanwhile: this instance's term is over",
          e);
    } catch (Exception e) {
      throw failed("save the reconciler's state", e);
    }
  }

  @Override
  public Set<String> loadPaths() throws IOException {
    try {
      pathsVersion = ABSENT;
      Stat stat = new Stat();
      JsonNode paths =
          MAPPER.readTree(client.getData().storingStatIn(stat).forPath(root + "/auto"));
      pathsVersion = stat.getVersion();
      Set<String> read = new TreeSet<>();
      paths.forEach(path -> read.add(path.asText()));
      return read;
    } catch (NoNodeException e) {
      return Set.of();
    } catch (Exception e) {
      throw failed("read the directories under auto", e);
    }
  }

  @Override
  public void savePaths(Set<String> paths) throws IOException {
    byte[] json = MAPPER.writeValueAsBytes(paths);
    if (json.length > MAX_PATHS_BYTES) {
      throw new IOException(
          paths.size()
              + " directories under auto are more than a znode holds; hint at fewer directories"
              + " above them");
    }
    String path = root + "/auto";
    try {
      if (pathsVersion == ABSENT) {
        client.create().creatingParentsIfNeeded().forPath(path, json);
        pathsVersion = 0;
      } else {
        pathsVersion = client.setData().withVersion(pathsVersion).forPath(path, json).getVersion();
      }
    } catch (BadVersionException | NodeExistsException e) {
      throw new IOException("another instance leads: this instance's term is over", e);
    } catch (Exception e) {
      throw failed("save the directories under auto", e);
    }
  }

  @Override
  public void close() {
    client.close();
  }

  /** Writes the pieces under a name that no other instance uses. */
  private void writePieces(Saved saved) throws Exception {
    generation = UUID.randomUUID().toString();
    List<byte[]> encoded = ExpirableFilesCodec.encode(saved.files());
    pieces = encoded.size();
    for (int piece = 0; piece < pieces; piece++) {
      client
          .create()
          .orSetData()
          .creatingParentsIfNeeded()
          .forPath(piece(generation, piece), encoded.get(piece));
    }
  }

  private void writeState(Saved saved) throws Exception {
    byte[] state = state(saved, generation, pieces);
    String path = root + "/state";
    if (version == ABSENT) {
      client.create().creatingParentsIfNeeded().forPath(path, state);
      version = 0;
    } else {
      version = client.setData().withVersion(version).forPath(path, state).getVersion();
    }
  }

  private List<String> generations() throws Exception {
    try {
      return client.getChildren().forPath(root).stream()
          .filter(child -> child.startsWith("files-"))
          .toList();
    } catch (NoNodeException e) {
      return List.of();
    }
  }

  private void drop(List<String> old) throws Exception {
    for (String child : old) {
      client.delete().quietly().deletingChildrenIfNeeded().forPath(root + "/" + child);
    }
  }

  private String piece(String files, int piece) {
    return root + "/files-" + files + "/" + piece;
  }

  private static byte[] state(Saved saved, String generation, int pieces) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("transaction", saved.transaction())
        .put("time", saved.time().toEpochMilli())
        .put("generation", generation)
        .put("pieces", pieces)
        .toString()
        .getBytes(StandardCharsets.UTF_8);
  }

  private static IOException failed(String what, Exception e) {
    return e instanceof InterruptedException interrupted
        ? interrupted(interrupted)
        : new IOException("cannot " + what + ": " + e.getMessage(), e);
  }

  private static InterruptedIOException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    InterruptedIOException interrupted = new InterruptedIOException("interrupted");
    interrupted.initCause(e);
    return interrupted;
  }
}
