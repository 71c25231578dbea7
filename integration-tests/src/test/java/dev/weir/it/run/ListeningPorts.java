package dev.weir.it.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The TCP ports that a process listens on, by Linux's tables of sockets. */
final class ListeningPorts {
  private static final String LISTEN = "0A";

  private ListeningPorts() {}

  static Set<Integer> of(ProcessHandle process) throws IOException {
    Path proc = Path.of("/proc", Long.toString(process.pid()));
    Set<String> sockets;
    try (Stream<Path> files = Files.list(proc.resolve("fd"))) {
      sockets = files.map(ListeningPorts::target).collect(Collectors.toSet());
    }
    Set<Integer> ports = new TreeSet<>();
    for (String table : List.of("net/tcp", "net/tcp6")) {
      for (String line : Files.readAllLines(proc.resolve(table))) {
        // Number, local and remote address, state, and in the tenth column the inode.
        String[] columns = line.strip().split("\\s+", -1);
        if (columns[3].equals(LISTEN) && sockets.contains("socket:[" + columns[9] + "]")) {
          String address = columns[1];
          ports.add(Integer.parseInt(address.substring(address.indexOf(':') + 1), 16));
        }
      }
    }
    return ports;
  }

  private static String target(Path file) {
    try {
      return Files.readSymbolicLink(file).toString();
    } catch (IOException e) {
      // It was closed meanwhile.
      return "";
    }
  }
}
