package dev.weir.workflow.image;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.sandbox.LocalFiles;
import dev.weir.workflow.text.Sha256;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.FileLockInterruptionException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads images from files, each once for an application on a node. Their names in the runtime's
 * store have the digest of the file, so equal files are one image. The last worker of the
 * application on the node removes them; if it was killed, the next worker of another application of
 * the user does. Thread-safe.
 */
final class ImageStore implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ImageStore.class);
  private static final String REPOSITORIES = "localhost/weir/";
  private static final String LOADED = "Loaded image";

  /** Hexadecimal digits of a SHA-256 in a name: enough to distinguish images. */
  private static final int DIGITS = 32;

  private final Path application;
  private final Path directory;
  private final String repositories;

  /** Names of loaded images by inode, length and time of their files. */
  private final Map<String, String> names = new HashMap<>();

  /** Holds a shared lock from the first image on. */
  private @Nullable FileChannel users;

  private @Nullable RuntimeProgram loader;

  /**
   * Creates a store without images.
   *
   * @param application the application's directory on this node, which all its workers have and
   *     YARN removes with it
   */
  ImageStore(Path application) {
    this.application = application;
    this.directory = application.resolve("weir-images");
    this.repositories =
        REPOSITORIES + digest(String.valueOf(application.getParent()).getBytes(UTF_8)) + "/";
  }

  /**
   * Loads an image unless the runtime has it.
   *
   * @param file an archive of one image
   * @return the name of the image for the runtime
   * @throws ContainerException when the file is not an archive of an image
   */
  synchronized String load(RuntimeProgram program, Path file)
      throws IOException, InterruptedException {
    LocalFiles.Facts facts = LocalFiles.facts(file);
    String version = facts.inode() + " " + facts.bytes() + " " + facts.modified();
    String known = names.get(version);
    if (known != null) {
      return known;
    }
    try {
      if (users == null) {
        begin(program);
      }
      try (FileChannel channel = open(loading())) {
        FileLock unused = channel.lock();
        String digest = digest(file);
        Path plain = decompressed(file);
        String name;
        try {
          name =
              program.kind() == ContainerRuntime.APPTAINER
                  ? build(program, plain, digest)
                  : loadInto(program, plain, digest);
        } finally {
          if (!plain.equals(file)) {
            Files.delete(plain);
          }
        }
        names.put(version, name);
        LOG.info("Image {} is {}", file.getFileName(), name);
        return name;
      }
    } catch (FileLockInterruptionException e) {
      throw (InterruptedException) new InterruptedException(e.toString()).initCause(e);
    } catch (RuntimeProgram.CallFailedException e) {
      throw unusable(file, e);
    }
  }

  private void begin(RuntimeProgram program) throws IOException, InterruptedException {
    Files.createDirectories(directory);
    FileChannel channel = open(directory.resolve("users"));
    boolean works = false;
    try {
      FileLock unused = channel.lock(0, Long.MAX_VALUE, /* shared= */ true);
      remove(program, owner -> !Files.exists(application.resolveSibling(owner)));
      works = true;
    } catch (RuntimeProgram.CallFailedException e) {
      throw new ContainerException(
          Result.INFRASTRUCTURE,
          program.path() + " does not work on this node: " + e.getMessage(),
          e);
    } finally {
      if (!works) {
        channel.close();
      }
    }
    users = channel;
    loader = program;
  }

  /**
   * Returns the lock that one worker of the user holds while it loads an image. Otherwise the name
   * that the archive has could become that of another application's image before it is tagged.
   */
  private Path loading() {
    return application.resolveSibling("weir-images.lock");
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(
        file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  /** Not all versions of podman load compressed archives. */
  private Path decompressed(Path file) throws IOException {
    if (!file.toString().endsWith("gz")) {
      return file;
    }
    Path plain = directory.resolve("part.tar");
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      Files.copy(in, plain, StandardCopyOption.REPLACE_EXISTING);
    } catch (ZipException | EOFException e) {
      throw unusable(file, e);
    }
    return plain;
  }

  private static ContainerException unusable(Path file, IOException problem) {
    return new ContainerException(
        Result.FAILED,
        "the container image "
            + file.getFileName()
            + " cannot be loaded: "
            + problem.getMessage()
            + ": it must be an archive written by 'podman save' or 'docker save'",
        problem);
  }

  private String loadInto(RuntimeProgram program, Path file, String digest)
      throws IOException, InterruptedException {
    String name = repositories + application.getFileName() + ":" + digest;
    if (isPresent(program, name)) {
      return name;
    }
    String printed = program.call("load", "--quiet", "--input=" + file);
    int loaded = printed.lastIndexOf(LOADED);
    int colon = printed.indexOf(": ", Math.max(0, loaded));
    if (loaded < 0 || colon < 0) {
      throw new IOException(program.path() + " load printed '" + printed + "'");
    }
    String own = printed.substring(colon + 2).strip();
    program.call("tag", own, name);
    if (!own.startsWith("sha256:")) {
      // The name that the archive has would keep the image when ours is removed.
      program.call("rmi", own);
    }
    return name;
  }

  private static boolean isPresent(RuntimeProgram program, String name)
      throws IOException, InterruptedException {
    try {
      String unused = program.call("image", "inspect", "--format={{.Id}}", name);
      return true;
    } catch (RuntimeProgram.CallFailedException e) {
      return false;
    }
  }

  private String build(RuntimeProgram program, Path file, String digest)
      throws IOException, InterruptedException {
    Path built = directory.resolve(digest + ".sif");
    if (!Files.exists(built)) {
      Path part = directory.resolve("part.sif");
      program.call("build", "--force", part.toString(), "docker-archive:" + file);
      Files.move(part, built, StandardCopyOption.ATOMIC_MOVE);
    }
    return built.toString();
  }

  /** Removes the images of some applications. Images of running containers stay. */
  private void remove(RuntimeProgram program, Predicate<String> owner)
      throws IOException, InterruptedException {
    if (program.kind() == ContainerRuntime.APPTAINER) {
      return;
    }
    List<String> images =
        program
            .call(
                "images",
                "--format={{.Repository}}:{{.Tag}}",
                "--filter=reference=" + repositories + "*")
            .lines()
            .toList();
    for (String image : images) {
      int colon = image.lastIndexOf(':');
      if (image.startsWith(repositories)
          && owner.test(image.substring(repositories.length(), colon))) {
        try {
          program.call("rmi", image);
        } catch (RuntimeProgram.CallFailedException e) {
          LOG.info("Image {} stays: {}", image, e.getMessage());
        }
      }
    }
  }

  private static String digest(Path file) throws IOException {
    MessageDigest sum = Sha256.digest();
    try (InputStream in = new DigestInputStream(Files.newInputStream(file), sum)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    return HexFormat.of().formatHex(sum.digest()).substring(0, DIGITS);
  }

  private static String digest(byte[] bytes) {
    return Sha256.hex(bytes).substring(0, DIGITS);
  }

  /** Removes the images unless another worker of the application uses them. Never fails. */
  @Override
  public synchronized void close() {
    FileChannel held = users;
    RuntimeProgram program = loader;
    users = null;
    if (held == null || program == null) {
      return;
    }
    try {
      held.close();
      try (FileChannel channel = open(directory.resolve("users"))) {
        if (channel.tryLock() != null) {
          remove(program, String.valueOf(application.getFileName())::equals);
        }
      }
    } catch (IOException e) {
      LOG.warn("Cannot remove the images of this application", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
