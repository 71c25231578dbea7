package dev.weir.service.reconcile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.weir.hints.HintSettings;
import dev.weir.hints.store.ZooKeeperClients;
import dev.weir.service.part.Daemons;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.KeeperException.NoNodeException;

/**
 * In ZooKeeper below {@code ROOT/reconciler}: {@code state} says how far it has come and which
 * generation of the files on record goes with that; their pieces are in {@code files-GENERATION}.
 * The state is written last, so what it names is whole.
 */
final class ZooKeeperMemory implements Memory {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int SESSION_MILLIS = 15_000;
  private static final int CONNECT_MILLIS = 5_000;

  private final CuratorFramework client;
  private final String root;
  private long generation;

  private ZooKeeperMemory(CuratorFramework client, String root) {
    this.client = client;
    this.root = root;
  }

  /**
   * Connects.
   *
   * @throws IOException when that cannot be done within a bound
   */
  static ZooKeeperMemory open(HintSettings settings) throws IOException {
    CuratorFramework client =
        ZooKeeperClients.builder(settings)
            .sessionTimeoutMs(SESSION_MILLIS)
            .connectionTimeoutMs(CONNECT_MILLIS)
            .retryPolicy(new RetryNTimes(3, 500))
            .threadFactory(Daemons.named("reconciler-zookeeper-"))
            .build();
    client.start();
    try {
      if (!client.blockUntilConnected(CONNECT_MILLIS, TimeUnit.MILLISECONDS)) {
        throw new IOException("no ZooKeeper session with " + settings.quorum());
      }
      return new ZooKeeperMemory(client, settings.root() + "/reconciler");
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
      JsonNode state = MAPPER.readTree(client.getData().forPath(root + "/state"));
      generation = state.path("generation").asLong();
      List<CreatedFile> files = new ArrayList<>();
      for (int piece = 0; piece < state.path("pieces").asInt(); piece++) {
        files.addAll(MemoryCodec.decode(client.getData().forPath(piece(generation, piece))));
      }
      return Optional.of(
          new Saved(
              state.path("transaction").asLong(),
              Instant.ofEpochMilli(state.path("time").asLong()),
              files));
    } catch (NoNodeException e) {
      return Optional.empty();
    } catch (Exception e) {
      throw failed("read what the reconciler knows", e);
    }
  }

  @Override
  public void save(Saved saved) throws IOException {
    long next = generation + 1;
    try {
      List<byte[]> pieces = MemoryCodec.encode(saved.files());
      for (int piece = 0; piece < pieces.size(); piece++) {
        client
            .create()
            .orSetData()
            .creatingParentsIfNeeded()
            .forPath(piece(next, piece), pieces.get(piece));
      }
      client
          .create()
          .orSetData()
          .creatingParentsIfNeeded()
          .forPath(root + "/state", state(saved, next, pieces.size()));
      generation = next;
      dropOthers(next);
    } catch (Exception e) {
      throw failed("save what the reconciler knows", e);
    }
  }

  @Override
  public void close() {
    client.close();
  }

  private void dropOthers(long kept) throws Exception {
    for (String child : client.getChildren().forPath(root)) {
      if (child.startsWith("files-") && !child.equals("files-" + kept)) {
        client.delete().quietly().deletingChildrenIfNeeded().forPath(root + "/" + child);
      }
    }
  }

  private String piece(long files, int piece) {
    return root + "/files-" + files + "/" + piece;
  }

  private static byte[] state(Saved saved, long generation, int pieces) {
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
    InterruptedIOException interrupted = new InterruptedIOException("told to stop");
    interrupted.initCause(e);
    return interrupted;
  }
}
