package dev.weir.yarn.lookup;

import java.io.FileNotFoundException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A file system in memory that knows on which hosts files are and who may read them. */
public final class FakeLookup implements LocationLookup {

  private final Map<String, Map<String, Long>> files = new ConcurrentHashMap<>();
  private final Map<String, String> owners = new ConcurrentHashMap<>();
  public final List<String> askedBy = new CopyOnWriteArrayList<>();

  public final AtomicInteger prepared = new AtomicInteger();
  public final AtomicInteger closed = new AtomicInteger();

  public FakeLookup file(String path, Map<String, Long> bytesByHost) {
    files.put(path, bytesByHost);
    return this;
  }

  public FakeLookup readableOnlyBy(String user, String path) {
    owners.put(path, user);
    return this;
  }

  @Override
  public void prepare() {
    prepared.incrementAndGet();
  }

  @Override
  public void close() {
    closed.incrementAndGet();
  }

  @Override
  public Map<String, Long> bytesByHost(String user, List<String> paths) throws Exception {
    askedBy.add(user);
    Map<String, Long> all = new HashMap<>();
    for (String path : paths) {
      Map<String, Long> file = files.get(path);
      if (file == null) {
        throw new FileNotFoundException(path);
      }
      if (!owners.getOrDefault(path, user).equals(user)) {
        throw new SecurityException(path);
      }
      file.forEach((host, bytes) -> all.merge(host, bytes, Long::sum));
    }
    return all;
  }
}
