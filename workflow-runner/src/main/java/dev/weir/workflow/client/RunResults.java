package dev.weir.workflow.client;

import dev.weir.workflow.hdfs.BulkLookup;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.text.Glob;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.io.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of a run in HDFS, and copies of them elsewhere. Not thread-safe. */
public final class RunResults {

  private static final Logger LOG = LoggerFactory.getLogger(RunResults.class);
  private static final int BUFFER = 1 << 20;
  private static final String PART = ".weir-part";

  private final DistributedFileSystem fs;
  private final Workflow workflow;
  private final Path directory;

  /**
   * Creates the files of a run.
   *
   * @param dataDir absolute path of its data directory
   */
  RunResults(DistributedFileSystem fs, Workflow workflow, String dataDir) {
    this.fs = fs;
    this.workflow = workflow;
    this.directory = fs.makeQualified(new Path(dataDir));
  }

  /**
   * A file that exists.
   *
   * @param name its id in the workflow
   */
  public record Result(String name, long bytes) {}

  /**
   * The files that were looked for.
   *
   * @param present those that exist
   */
  public record Found(List<Result> present, List<String> missing) {

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

  /** Returns the names of all files of the workflow. */
  public Set<String> names() {
    return workflow.files().keySet();
  }

  /** Looks for the results. */
  public Found results() throws IOException {
    return look(workflow.graph().finalOutputs().stream().map(DataFile::id).toList());
  }

  /**
   * Looks for files of the workflow by name, also inputs and intermediate files.
   *
   * @param glob pattern of their names
   */
  public Found matching(Glob glob) throws IOException {
    return look(workflow.files().keySet().stream().filter(glob::matches).toList());
  }

  private Found look(List<String> names) throws IOException {
    Map<String, HdfsLocatedFileStatus> found =
        new BulkLookup(fs.getClient()).find(names.stream().map(this::path).toList());
    List<Result> present = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (String name : names) {
      HdfsLocatedFileStatus file = found.get(path(name));
      if (file == null) {
        missing.add(name);
      } else {
        present.add(new Result(name, file.getLen()));
      }
    }
    return new Found(present, missing);
  }

  private String path(String name) {
    return new Path(directory, name).toUri().getPath();
  }

  /**
   * Copies files to a local directory. Each replaces an older one of its name once it is complete.
   *
   * @param local the directory, which is created
   */
  public void download(Found files, java.nio.file.Path local) throws IOException {
    for (Result file : files.present()) {
      java.nio.file.Path target = local.resolve(file.name());
      java.nio.file.Path part = target.resolveSibling(target.getFileName() + PART);
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
   * @param to the directory, which is created
   */
  public void publish(Found files, Path to, Configuration conf) throws IOException {
    publish(files, to, conf, this::copy);
  }

  /**
   * Moves files as {@link #publish} copies them: by a rename if HDFS permits it, else by a copy
   * after which the original is deleted. At any time a file is complete in one of the two places.
   *
   * @throws IOException if a file cannot be moved; the message has the number of those that were
   */
  public void move(Found files, Path to, Configuration conf) throws IOException {
    publish(
        files,
        to,
        conf,
        (file, target, published) -> {
          if (!rename(file, target, published)) {
            copy(file, target, published);
            fs.delete(source(file), false);
          }
        });
  }

  /** Publishes a file. */
  private interface Publication {
    void publish(Result file, FileSystem target, Path published) throws IOException;
  }

  private void publish(Found files, Path to, Configuration conf, Publication each)
      throws IOException {
    FileSystem target = to.getFileSystem(conf);
    int done = 0;
    for (Result file : files.present()) {
      Path published = target.makeQualified(new Path(to, file.name()));
      try {
        if (!published.equals(source(file))) {
          target.mkdirs(published.getParent());
          each.publish(file, target, published);
        }
      } catch (IOException e) {
        throw new IOException(
            "Cannot publish %s, after %d of %d files; it and the others stay in %s: %s"
                .formatted(published, done, files.present().size(), directory, e.getMessage()),
            e);
      }
      done++;
    }
  }

  private Path source(Result file) {
    return new Path(directory, file.name());
  }

  private boolean rename(Result file, FileSystem target, Path published) {
    if (!target.getUri().equals(fs.getUri())) {
      return false;
    }
    try {
      fs.rename(source(file), published, Options.Rename.OVERWRITE);
      return true;
    } catch (IOException e) {
      // HDFS renames no file into another encryption zone.
      LOG.debug("Cannot rename to {}; copying", published, e);
      return false;
    }
  }

  private void copy(Result file, FileSystem target, Path published) throws IOException {
    Path part = published.suffix(PART);
    try {
      try (InputStream in = fs.open(source(file));
          OutputStream out = target.create(part, true)) {
        IOUtils.copyBytes(in, out, BUFFER);
      }
      if (fs.exists(source(file).suffix(PART))) {
        throw new IOException("it is the directory of the results, by another name");
      }
      if (target.getFileStatus(part).getLen() != file.bytes()) {
        throw new IOException("the copy is not " + file.bytes() + " bytes long");
      }
    } catch (IOException e) {
      target.delete(part, false);
      throw e;
    }
    target.delete(published, false);
    if (!target.rename(part, published)) {
      throw new IOException("cannot rename " + part);
    }
  }
}
