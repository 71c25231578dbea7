package dev.weir.workflow.gang;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.workflow.sandbox.Sandbox;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The other containers during a command of a gang. The command starts processes there by a program
 * that it calls as it would call rsh or ssh. The program leaves a request in a directory, where
 * this object finds it.
 */
public final class GangCommand implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(GangCommand.class);
  private static final String NAME = "weir-";
  private static final long POLL_MILLIS = 20;

  /** The exit code of rsh and ssh if the connection fails. */
  private static final int NO_CONNECTION = 255;

  /** The first container has the number 0. */
  private static final String LAUNCHER =
      """
      #!/bin/sh
      # Runs a command in another container of this task: [OPTION...] NAME COMMAND...
      while :; do case $1 in -*) shift ;; *) break ;; esac; done
      name=$1
      shift
      [ "$name" = weir-0 ] && exec /bin/sh -c "$*"
      run=$(mktemp -d '%s/run.XXXXXX') || exit 255
      trap 'rm -rf "$run"' EXIT
      trap 'exit 143' TERM INT HUP
      mkfifo "$run/out" "$run/err" "$run/code" || exit 255
      printf %%s "$name" > "$run/name"
      printf %%s "$*" > "$run/new"
      mv "$run/new" "$run/command"
      cat "$run/out" &
      cat "$run/err" >&2 &
      read -r code < "$run/code"
      wait
      exit "$code"
      """;

  private final Gang gang;
  private final List<String> members;
  private final Path work;
  private final Path requests;
  private final Path files;
  private final Map<String, String> variables;
  private final List<GangConnection> directories = new ArrayList<>();
  private final Map<Path, Optional<GangConnection>> running = new ConcurrentHashMap<>();
  private final CompletableFuture<String> lost = new CompletableFuture<>();
  private volatile boolean closed;

  GangCommand(Gang gang, List<String> members, Sandbox sandbox, Map<String, String> variables) {
    this.gang = gang;
    this.members = members;
    this.work = sandbox.work();
    this.files = sandbox.temp().resolve("weir-gang");
    this.requests = files.resolve("requests");
    this.variables = Map.copyOf(variables);
  }

  void prepare(int cores, ThreadFactory threads) throws IOException, InterruptedException {
    Files.createDirectory(
        files, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.createDirectory(requests);
    Path launcher =
        Files.writeString(files.resolve("launcher"), LAUNCHER.formatted(requests), UTF_8);
    Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
    StringBuilder hosts = new StringBuilder();
    StringBuilder ofHydra = new StringBuilder();
    for (int i = 0; i <= members.size(); i++) {
      hosts.append(NAME).append(i).append(" slots=").append(cores).append('\n');
      ofHydra.append(NAME).append(i).append(':').append(cores).append('\n');
    }
    Files.writeString(files.resolve("hosts"), hosts);
    Files.writeString(files.resolve("hosts-of-hydra"), ofHydra);
    for (String member : members) {
      GangConnection connection = gang.connection(member);
      directories.add(connection);
      try {
        makeDirectory(connection);
      } catch (IOException e) {
        gang.awaitRelease();
        throw new IOException(
            "the container " + member + " cannot take the inputs: see its log (yarn logs)", e);
      }
      threads.newThread(() -> watch(member, connection)).start();
    }
    threads.newThread(this::poll).start();
  }

  private void makeDirectory(GangConnection connection) throws IOException {
    connection.out.writeByte(GangConnection.DIRECTORY);
    connection.writeText(work.toString());
    connection.out.flush();
    if (connection.in.readBoolean()) {
      DirectoryCopy.send(work, connection.out);
    }
    boolean unused = connection.in.readBoolean();
  }

  /** A container sends nothing more while it lives. */
  private void watch(String member, GangConnection connection) {
    try {
      int unused = connection.in.read();
    } catch (IOException e) {
      LOG.info("The connection to {} has ended: {}", member, e.toString());
    }
    if (!closed) {
      lost.complete("the container " + member + " of the gang was lost");
    }
  }

  /** Returns the variables by which mpiexec and scripts find the launcher and the hosts. */
  public Map<String, String> environment() {
    String launcher = files.resolve("launcher").toString();
    String hosts = files.resolve("hosts").toString();
    Map<String, String> environment = new HashMap<>();
    environment.put("WEIR_HOSTFILE", hosts);
    environment.put("WEIR_LAUNCHER", launcher);
    environment.put("OMPI_MCA_plm_rsh_agent", launcher);
    environment.put("OMPI_MCA_orte_default_hostfile", hosts);
    environment.put("HYDRA_LAUNCHER", "ssh");
    environment.put("HYDRA_LAUNCHER_EXEC", launcher);
    environment.put("HYDRA_HOST_FILE", files.resolve("hosts-of-hydra").toString());
    return environment;
  }

  /** Completes with a message when another container is lost, while the command runs. */
  public CompletableFuture<String> lost() {
    return lost;
  }

  /** Finds new requests, and those whose program has ended. */
  private void poll() {
    try {
      while (!closed) {
        try (Stream<Path> found = Files.list(requests)) {
          for (Path run : found.toList()) {
            if (!running.containsKey(run) && Files.exists(run.resolve("command"))) {
              running.put(run, Optional.empty());
              Thread thread = new Thread(() -> relay(run), "gang");
              thread.setDaemon(true);
              thread.start();
            }
          }
        }
        for (Map.Entry<Path, Optional<GangConnection>> run : Map.copyOf(running).entrySet()) {
          if (Files.exists(run.getKey(), LinkOption.NOFOLLOW_LINKS)) {
            continue;
          }
          if (run.getValue().isPresent()) {
            run.getValue().get().close();
          } else {
            running.remove(run.getKey(), run.getValue());
          }
        }
        Thread.sleep(POLL_MILLIS);
      }
    } catch (NoSuchFileException e) {
      // The launcher is gone, too, so no process waits.
      LOG.info("The command has deleted the directory for its requests", e);
    } catch (IOException | UncheckedIOException e) {
      if (!closed) {
        LOG.warn("Requests for the other containers cannot be read", e);
        lost.complete("requests for the other containers cannot be read: " + e.getMessage());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void relay(Path run) {
    try {
      int code = relayOutput(run);
      // The program reads all output before the code.
      Files.writeString(run.resolve("code"), code + "\n");
    } catch (IOException e) {
      LOG.info("The program that asked for a command has ended: {}", e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      running.put(run, Optional.empty());
    }
  }

  private int relayOutput(Path run) throws IOException, InterruptedException {
    try (OutputStream out = Files.newOutputStream(run.resolve("out"));
        OutputStream err = Files.newOutputStream(run.resolve("err"))) {
      try {
        return relay(run, out, err);
      } catch (IOException | RuntimeException e) {
        err.write(("weir: " + e.getMessage() + "\n").getBytes(UTF_8));
        return NO_CONNECTION;
      }
    }
  }

  private int relay(Path run, OutputStream out, OutputStream err)
      throws IOException, InterruptedException {
    String name = Files.readString(run.resolve("name"));
    int number =
        name.matches(NAME + "\\d{1,4}") ? Integer.parseInt(name.substring(NAME.length())) : 0;
    if (number < 1 || number > members.size()) {
      throw new IOException(
          "no container of this task has the name " + name + ": use one of $WEIR_HOSTFILE");
    }
    try (GangConnection connection = gang.connection(members.get(number - 1))) {
      running.put(run, Optional.of(connection));
      connection.out.writeByte(GangConnection.RUN);
      connection.writeText(Files.readString(run.resolve("command")));
      connection.writeText(work.toString());
      connection.out.writeInt(variables.size());
      for (Map.Entry<String, String> variable : variables.entrySet()) {
        connection.writeText(variable.getKey());
        connection.writeText(variable.getValue());
      }
      connection.out.flush();
      while (true) {
        int kind = connection.in.readByte();
        int value = connection.in.readInt();
        if (kind == GangConnection.EXIT) {
          return value;
        }
        copy(connection, value, kind == GangConnection.OUT ? out : err);
      }
    }
  }

  private static void copy(GangConnection connection, int length, OutputStream to)
      throws IOException {
    if (length < 0 || length > GangConnection.BUFFER_BYTES) {
      throw new IOException("A part of the output has " + length + " bytes");
    }
    byte[] bytes = new byte[length];
    connection.in.readFully(bytes);
    to.write(bytes);
    to.flush();
  }

  /** Ends the commands in the other containers, and deletes their directories. */
  @Override
  public void close() throws IOException {
    closed = true;
    for (GangConnection connection : directories) {
      connection.close();
    }
    for (Map.Entry<Path, Optional<GangConnection>> run : running.entrySet()) {
      if (run.getValue().isPresent()) {
        run.getValue().get().close();
      }
      unblock(run.getKey());
    }
  }

  /** A thread may wait for the other end of a pipe whose program was killed. */
  private static void unblock(Path run) {
    for (String pipe : List.of("out", "err", "code")) {
      try (RandomAccessFile both = new RandomAccessFile(run.resolve(pipe).toFile(), "rw")) {
        LOG.trace("Opened {}", both);
      } catch (IOException e) {
        LOG.trace("The program has deleted {}", pipe, e);
      }
    }
  }
}
