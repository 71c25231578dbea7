package dev.weir.nextflow;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The inputs of a task. A directory is staged file by file. A job has each file once, so that its
 * other names are links.
 *
 * @param files their paths in HDFS, by their names in the sandbox
 */
record StagedInputs(Map<String, Path> files, Map<String, String> links) {

  /**
   * Looks up directories.
   *
   * @param named files and directories in HDFS, by their names in the sandbox
   * @throws IllegalArgumentException when one of them is not in HDFS
   */
  static StagedInputs of(Map<String, Path> named) throws IOException {
    Map<String, Path> files = new LinkedHashMap<>();
    Map<String, String> links = new LinkedHashMap<>();
    Map<Path, String> names = new HashMap<>();
    for (Map.Entry<String, Path> each : all(named).entrySet()) {
      String first = names.putIfAbsent(each.getValue(), each.getKey());
      if (first == null) {
        files.put(each.getKey(), each.getValue());
      } else {
        links.put(each.getKey(), first);
      }
    }
    return new StagedInputs(files, links);
  }

  private static Map<String, Path> all(Map<String, Path> named) throws IOException {
    Map<String, Path> all = new TreeMap<>();
    for (Map.Entry<String, Path> each : named.entrySet()) {
      String name = Path.of(each.getKey()).normalize().toString();
      Path path = each.getValue();
      if (!(path instanceof HdfsPath)) {
        throw new IllegalArgumentException(
            "The input " + path + " is not in HDFS: copy it there, or let Nextflow stage it");
      }
      if (!Files.isDirectory(path)) {
        all.put(name, path);
        continue;
      }
      try (Stream<Path> below = Files.walk(path)) {
        for (Path file : (Iterable<Path>) below.filter(Files::isRegularFile)::iterator) {
          all.put(name + "/" + path.relativize(file), file);
        }
      }
    }
    return all;
  }

  /** Returns all names of files in the sandbox. */
  Set<String> names() {
    Set<String> names = new TreeSet<>(files.keySet());
    names.addAll(links.keySet());
    return names;
  }

  /** Copies the maps. */
  StagedInputs {
    files = Collections.unmodifiableMap(new TreeMap<>(files));
    links = Collections.unmodifiableMap(new TreeMap<>(links));
  }
}
