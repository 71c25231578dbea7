package dev.weir.service.locate.files;

import dev.weir.service.part.RequestExecutor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;

/** Looks up many paths at once, directory by directory. */
public final class PathLookup {
  /** The number of names of one directory that one thread looks up. */
  private static final int CHUNK = 2500;

  private final RequestExecutor workers;

  public PathLookup(RequestExecutor workers) {
    this.workers = workers;
  }

  /**
   * Looks up the paths.
   *
   * @param paths distinct paths
   * @param listener receives each path once, from several threads
   */
  public void find(UserFileTrees trees, Collection<FilePath> paths, Listener listener)
      throws IOException {
    Map<Directory, Map<String, FilePath>> directories = new LinkedHashMap<>();
    for (FilePath path : paths) {
      if (path.name().isEmpty()) {
        listener.failed(path, PathFault.IS_DIRECTORY);
      } else {
        directories
            .computeIfAbsent(
                new Directory(path.authority(), path.directory()),
                directory -> new LinkedHashMap<>())
            .put(path.name(), path);
      }
    }
    List<InvocationRaisingIOE> jobs = new ArrayList<>();
    directories.forEach(
        (directory, names) -> {
          for (Map<String, FilePath> chunk : chunks(names)) {
            jobs.add(() -> find(trees, directory, chunk, listener));
          }
        });
    workers.runAll(jobs);
  }

  private static void find(
      UserFileTrees trees, Directory directory, Map<String, FilePath> names, Listener listener)
      throws IOException {
    boolean unused =
        trees.call(
            directory.authority(),
            tree -> {
              new DirectoryLookup(tree, directory.directory(), names, listener).run();
              return true;
            });
  }

  /**
   * Names that are close in order stay together, so that a part of a listing has many names of one
   * chunk.
   */
  private static List<Map<String, FilePath>> chunks(Map<String, FilePath> names) {
    List<Map<String, FilePath>> chunks = new ArrayList<>();
    Map<String, FilePath> chunk = Map.of();
    for (Map.Entry<String, FilePath> name : new TreeMap<>(names).entrySet()) {
      if (chunk.size() % CHUNK == 0) {
        chunk = new HashMap<>();
        chunks.add(chunk);
      }
      chunk.put(name.getKey(), name.getValue());
    }
    return chunks;
  }

  private record Directory(String authority, String directory) {}

  /** Receives the results, from several threads. */
  public interface Listener {
    void file(FilePath path, FileInfo info);

    /** The file does not exist, or the user may not know of it. */
    void failed(FilePath path, PathFault fault);
  }
}
