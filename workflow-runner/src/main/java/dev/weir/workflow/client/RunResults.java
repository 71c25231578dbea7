package dev.weir.workflow.client;

import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.text.Glob;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;

/** The files of a run in HDFS, and copies of them elsewhere. Not thread-safe. */
public final class RunResults {

  private static final int BUFFER = 1 << 20;

  private final FileSystem fs;
  private final Workflow workflow;
  private final Path directory;

  /**
   * Creates the files of a run.
   *
   * @param fs the file system with the data
   * @param workflow what was run
   * @param dataDir absolute path of its data directory
   */
  public RunResults(FileSystem fs, Workflow workflow, String dataDir) {
    this.fs = fs;
    this.workflow = workflow;
    this.directory = fs.makeQualified(new Path(dataDir));
  }

  /**
   * A file that exists.
   *
   * @param name its id in the workflow
   * @param bytes its length
   */
  public record Result(String name, long bytes) {}

  /**
   * The files that were looked for.
   *
   * @param present those that exist
   * @param missing names of the others
   */
  public record Found(List<Result> present, List<String> missing) {

    /** Copies the lists. */
    public Found {
      present = List.copyOf(present);
      missing = List.copyOf(missing);
    }

    /** Returns the sum of the lengths. */
    public long bytes() {
      return present.stream().mapToLong(Result::bytes).sum();
    }
  }

  /** Returns the directory of the files, qualified. */
  public Path directory() {
    return directory;
  }

  /**
   * Looks for the results: outputs that no task reads.
   *
   * @throws IOException if HDFS does not answer
   */
  public Found results() throws IOException {
    Set<String> read = new HashSet<>();
    workflow.tasks().forEach(task -> read.addAll(task.inputs()));
    return look(
        workflow.tasks().stream()
            .flatMap(task -> task.outputs().stream())
            .filter(file -> !read.contains(file))
            .toList());
  }

  /**
   * Looks for files of the workflow by name, also inputs and intermediate files.
   *
   * @param glob pattern of their names
   * @throws IOException if HDFS does not answer
   */
  public Found matching(Glob glob) throws IOException {
    return look(workflow.files().keySet().stream().filter(glob::matches).toList());
  }

  private Found look(List<String> names) throws IOException {
    List<Result> present = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (String name : names) {
      Optional<FileStatus> file = status(new Path(directory, name));
      file.ifPresentOrElse(
          status -> present.add(new Result(name, status.getLen())), () -> missing.add(name));
    }
    return new Found(present, missing);
  }

  private Optional<FileStatus> status(Path file) throws IOException {
    try {
      return Optional.of(fs.getFileStatus(file));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  /**
   * Copies files to a local directory. Each replaces an older one of its name once it is complete.
   *
   * @param files names of the files
   * @param local the directory, which is created
   * @throws IOException if a file cannot be copied
   */
  public void download(Found files, java.nio.file.Path local) throws IOException {
    for (Result file : files.present()) {
      java.nio.file.Path target = local.resolve(file.name());
      java.nio.file.Path part = target.resolveSibling(target.getFileName() + ".weir-part");
      Files.createDirectories(part.toAbsolutePath().getParent());
      try (InputStream in = fs.open(new Path(directory, file.name()));
          OutputStream out = Files.newOutputStream(part)) {
        IOUtils.copyBytes(in, out, BUFFER);
      } catch (IOException e) {
        Files.deleteIfExists(part);
        throw e;
      }
      Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /**
   * Copies files to a directory of any Hadoop file system. Each replaces an older one of its name
   * once it is complete.
   *
   * @param files names of the files
   * @param to the directory, which is created
   * @param conf how to reach its file system
   * @throws IOException if a file cannot be copied
   */
  public void publish(Found files, Path to, Configuration conf) throws IOException {
    FileSystem target = to.getFileSystem(conf);
    for (Result file : files.present()) {
      Path published = new Path(to, file.name());
      Path part = published.suffix(".weir-part");
      target.mkdirs(published.getParent());
      try (InputStream in = fs.open(new Path(directory, file.name()));
          OutputStream out = target.create(part, true)) {
        IOUtils.copyBytes(in, out, BUFFER);
      }
      target.delete(published, false);
      if (!target.rename(part, published)) {
        throw new IOException("Cannot rename " + part + " to " + published);
      }
    }
  }
}
