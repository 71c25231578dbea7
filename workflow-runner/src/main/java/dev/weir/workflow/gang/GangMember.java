package dev.weir.workflow.gang;

import dev.weir.workflow.process.ProcessGuard;
import dev.weir.workflow.protocol.CacheSecurity;
import dev.weir.workflow.protocol.Secret;
import dev.weir.workflow.sandbox.Sandbox;
import dev.weir.workflow.staging.Staging;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A further container of a gang. Runs commands for the first container, until that ends. One
 * connection always waits for the next request.
 */
public final class GangMember {

  private static final Logger LOG = LoggerFactory.getLogger(GangMember.class);
  private static final long SEARCH_MILLIS = 300_000;
  private static final long PAUSE_MILLIS = 500;
  private static final int CONNECT_MILLIS = 20_000;

  private final GangAddress address;
  private final String first;
  private final CacheSecurity security;
  private final Container container;

  /** How many tasks have had a directory here. */
  private final AtomicInteger tasks = new AtomicInteger();

  /** Ends all commands with their task, and with this process; null before the first task. */
  private volatile @Nullable ProcessGuard guard;

  /**
   * A further container.
   *
   * @param environment variables that every command gets
   * @param temp directory for temporary files of commands
   */
  public record Container(String id, Map<String, String> environment, Path temp) {}

  GangMember(GangAddress address, String first, CacheSecurity security, Container container) {
    this.address = address;
    this.first = first;
    this.security = security;
    this.container = container;
  }

  /**
   * Waits until the first container has announced its address.
   *
   * @param session directory of the session
   * @param first id of the first container
   * @param secret of the session's connections between containers
   */
  public static GangMember find(Staging session, String first, Secret secret, Container container)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SEARCH_MILLIS);
    while (true) {
      try {
        GangAddress found = session.readJson(GangAddress.file(first), GangAddress.class);
        return new GangMember(found, first, found.security(secret), container);
      } catch (FileNotFoundException e) {
        if (System.nanoTime() - end > 0) {
          throw e;
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    }
  }

  /** Serves the first container until it ends. */
  public void serve() {
    try {
      while (true) {
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(address.host(), address.port()), CONNECT_MILLIS);
        GangConnection connection = GangConnection.open(socket, security, first, false);
        connection.writeText(container.id());
        connection.out.flush();
        int request = connection.in.read();
        if (request < 0) {
          LOG.info("The first container of the gang has ended the connection");
          return;
        }
        Thread thread = new Thread(() -> handle(connection, request), "request");
        thread.setDaemon(true);
        thread.start();
      }
    } catch (IOException e) {
      LOG.info("The first container, on {}, has ended: {}", address.host(), e.toString());
    }
  }

  private void handle(GangConnection connection, int request) {
    try (connection) {
      if (request == GangConnection.DIRECTORY) {
        keepDirectory(connection);
      } else {
        run(connection);
      }
    } catch (IOException e) {
      LOG.info("A request has ended: {}", e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Has a directory with the files of the first container while the connection is open. */
  private void keepDirectory(GangConnection connection) throws IOException {
    Path directory = Path.of(connection.readText());
    // The first container may be on this node.
    boolean isMade = !Files.isDirectory(directory);
    connection.out.writeBoolean(isMade);
    connection.out.flush();
    // The names have no prefix in common with another one, because guards search for them.
    String mark = container.id() + "-" + tasks.incrementAndGet() + ".";
    try (ProcessGuard own = new ProcessGuard(mark)) {
      own.ensureRunning();
      guard = own;
      if (isMade) {
        Files.createDirectories(directory);
        DirectoryCopy.receive(connection.in, directory);
      }
      connection.out.writeBoolean(true);
      connection.out.flush();
      int unused = connection.in.read();
    } finally {
      if (isMade) {
        delete(directory);
      }
    }
  }

  private static void delete(Path directory) throws IOException {
    Sandbox.delete(directory);
    Path parent = directory.getParent();
    if (parent != null && Files.isDirectory(parent, LinkOption.NOFOLLOW_LINKS)) {
      try (Stream<Path> others = Files.list(parent)) {
        if (others.findAny().isEmpty()) {
          Files.deleteIfExists(parent);
        }
      }
    }
  }

  private void run(GangConnection connection) throws IOException, InterruptedException {
    ProcessGuard own = guard;
    if (own == null) {
      throw new IOException("a command without a task");
    }
    String command = connection.readText();
    Path directory = Path.of(connection.readText());
    // A process group of its own.
    ProcessBuilder builder =
        new ProcessBuilder("setsid", "/bin/sh", "-c", command)
            .directory(directory.toFile())
            .redirectInput(Redirect.from(Path.of("/dev/null").toFile()));
    builder.environment().clear();
    builder.environment().putAll(container.environment());
    builder.environment().put("TMPDIR", container.temp().toString());
    builder.environment().put("PWD", directory.toString());
    for (int left = connection.in.readInt(); left > 0; left--) {
      builder.environment().put(connection.readText(), connection.readText());
    }
    builder.environment().put(ProcessGuard.MARK, own.mark());
    Process process = builder.start();
    try {
      own.register(process.pid());
      relay(connection, process, own);
    } finally {
      killIfAlive(process, own);
      own.unregister(process.pid());
    }
  }

  private static void relay(GangConnection connection, Process process, ProcessGuard guard)
      throws IOException, InterruptedException {
    Thread watch = new Thread(() -> killAtEnd(connection, process, guard), "watch");
    Thread out = new Thread(() -> send(connection, GangConnection.OUT, process.getInputStream()));
    Thread err = new Thread(() -> send(connection, GangConnection.ERR, process.getErrorStream()));
    for (Thread thread : List.of(watch, out, err)) {
      thread.setDaemon(true);
      thread.start();
    }
    int code = process.waitFor();
    // What is left of its group would keep the streams open.
    guard.kill(process.pid());
    out.join();
    err.join();
    synchronized (connection) {
      connection.out.writeByte(GangConnection.EXIT);
      connection.out.writeInt(code);
      connection.out.flush();
    }
    // The first container closes the connection when it has the code.
    watch.join();
  }

  /** The first container sends no more, so that the end of its stream is that of the command. */
  private static void killAtEnd(GangConnection connection, Process process, ProcessGuard guard) {
    try {
      int unused = connection.in.read();
    } catch (IOException e) {
      LOG.info("A command has lost its connection: {}", e.toString());
    }
    killIfAlive(process, guard);
  }

  /** Also kills processes that have left the group. */
  private static void killIfAlive(Process process, ProcessGuard guard) {
    if (process.isAlive()) {
      List<ProcessHandle> descendants = process.descendants().toList();
      guard.kill(process.pid());
      descendants.forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private static void send(GangConnection connection, int kind, InputStream from) {
    byte[] buffer = new byte[GangConnection.BUFFER_BYTES];
    try (from) {
      for (int length = from.read(buffer); length >= 0; length = from.read(buffer)) {
        synchronized (connection) {
          connection.out.writeByte(kind);
          connection.out.writeInt(length);
          connection.out.write(buffer, 0, length);
          connection.out.flush();
        }
      }
    } catch (IOException e) {
      LOG.info("The output of a command is not read any more: {}", e.toString());
    }
  }
}
