package dev.weir.workflow.staging;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunRecordCodec;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.functional.ConsumerRaisingIOE;
import org.jspecify.annotations.Nullable;

/**
 * The HDFS directory in which client and ApplicationMaster of one run exchange files. The run's
 * record stays there after its end. Thread-safe.
 */
public final class Staging {

  /** The file with the installed programs that a run's tasks name. */
  public static final String TOOLS = "tools.json";

  /** The plan of a run's ApplicationMaster. */
  public static final String PLAN = "plan.json";

  /** The plan of a session's ApplicationMaster. */
  public static final String SESSION = "session.json";

  /** Ids of the runs that were live when this one was submitted. */
  public static final String OTHERS = "others.json";

  /** Ids of the sessions with a directory that had ended when this one was submitted. */
  public static final String ENDED = "ended.json";

  /** Exists after a later run has deleted the files of this one, which was killed. */
  public static final String TIDIED = "tidied";

  /** The progress of the run, written once a second. */
  public static final String STATUS = "status.json";

  /** The summary of the run. */
  public static final String SUMMARY = "summary.json";

  /** The record of the run, written at its end. */
  public static final String RECORD = "run.json";

  /** Why the run failed, written at its end if it did. */
  public static final String FAILURE = "failure.json";

  /** The directory to which the results were moved; exists if the user asked for that. */
  public static final String MOVED = "moved.json";

  /** The run's hint set, for its workers and its report; exists if the run has hints. */
  public static final String HINTS = "hints.json";

  /** The prefix of the names of journals. */
  public static final String JOURNAL = "journal-";

  /** The address of a run's ApplicationMaster, for workers. */
  public static final String MASTER = "master.json";

  /** The keytab of the user, for the ApplicationMaster; exists if the user gave one. */
  public static final String KEYTAB = "user.keytab";

  /** The endpoint of a session for runs and jobs, for users who may read this directory. */
  public static final String ENDPOINT = "endpoint.json";

  /** Name of the environment variable of a container that holds the path of this directory. */
  public static final String DIRECTORY_VARIABLE = "WEIR_STAGING";

  /**
   * Name of the environment variable of an ApplicationMaster that holds the directory of its
   * workers' jars.
   */
  public static final String LIBRARY_VARIABLE = "WEIR_LIBRARY";

  /** Does not close streams; their opener does. */
  private static final ObjectMapper JSON =
      new ObjectMapper().disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);

  private static final short PRIVATE = 0700;
  private static final short SECRET = 0600;

  private final DistributedFileSystem fs;
  private final Path directory;
  private final @Nullable Path library;

  public Staging(DistributedFileSystem fs, Path directory) {
    this(fs, fs.makeQualified(directory), null);
  }

  private Staging(DistributedFileSystem fs, Path directory, @Nullable Path library) {
    this.fs = fs;
    this.directory = directory;
    this.library = library;
  }

  /** Returns the file system of the directory. */
  public DistributedFileSystem fs() {
    return fs;
  }

  /**
   * Returns a copy that can list the files of containers.
   *
   * @param jars directory that holds the runner's jars and nothing else
   * @return the directory
   */
  public Staging withLibrary(Path jars) {
    return new Staging(fs, directory, fs.makeQualified(jars));
  }

  /**
   * Returns the path of the directory.
   *
   * @return its qualified path
   */
  public Path directory() {
    return directory;
  }

  /**
   * Returns the path of a file in the directory.
   *
   * @return its qualified path
   */
  public Path file(String name) {
    return new Path(directory, name);
  }

  /**
   * Creates the directory.
   *
   * @throws RunException if the user has no home directory
   */
  public void create() throws IOException {
    try {
      fs.mkdirs(directory, new FsPermission(PRIVATE));
    } catch (AccessControlException e) {
      throw HomeDirectory.explained(fs, directory, e);
    }
  }

  /** Deletes the directory and its contents. */
  public void delete() throws IOException {
    fs.delete(directory, true);
  }

  /** Deletes a file; a missing one is ignored. */
  public void delete(String name) throws IOException {
    fs.delete(file(name), false);
  }

  /**
   * Renames a file, and replaces another with the new name.
   *
   * @throws FileNotFoundException if there is no such file
   */
  void rename(String from, String to) throws IOException {
    fs.rename(file(from), file(to), Options.Rename.OVERWRITE);
  }

  /**
   * Deletes files that are useless after the end of the run: steering requests, the user's keytab
   * and the address of the ApplicationMaster. Answers stay, because a client may still wait for the
   * last one.
   *
   * @param journals whether to delete the journals as well, because all their information is stored
   *     elsewhere
   */
  public void tidy(boolean journals) throws IOException {
    fs.delete(file(KEYTAB), false);
    fs.delete(file(MASTER), false);
    for (String name : names("")) {
      if (name.startsWith(SteeringRequest.PREFIX) || (journals && name.startsWith(JOURNAL))) {
        fs.delete(file(name), false);
      }
    }
  }

  /**
   * Lists the files with a prefix.
   *
   * @param prefix the prefix; empty for all files
   * @return their names, in a mutable list; empty if the directory does not exist
   */
  public List<String> names(String prefix) throws IOException {
    List<String> names = new ArrayList<>();
    try {
      for (FileStatus file : fs.listStatus(directory)) {
        if (file.getPath().getName().startsWith(prefix)) {
          names.add(file.getPath().getName());
        }
      }
    } catch (FileNotFoundException e) {
      return names;
    }
    return names;
  }

  /**
   * Returns the total length of the files with a prefix.
   *
   * @return the sum in bytes; 0 if there are none
   */
  public long length(String prefix) throws IOException {
    long sum = 0;
    for (String name : names(prefix)) {
      sum += fs.getFileStatus(file(name)).getLen();
    }
    return sum;
  }

  /** A file has invalid content. */
  public static final class UnreadableException extends IOException {

    private static final long serialVersionUID = 1L;

    UnreadableException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * Writes a value as JSON atomically: readers see the old file or the new one.
   *
   * @param value a record
   */
  public void writeJson(String name, Object value) throws IOException {
    write(name, out -> JSON.writeValue(out, value));
  }

  /**
   * Writes a value that holds a secret, as {@link #writeJson} does. Only the owner may read the
   * file, independent of the directory's permissions.
   *
   * @param value a record
   */
  public void writeSecretJson(String name, Object value) throws IOException {
    write(
        name,
        out -> JSON.writeValue(out, value),
        temporary -> fs.createFile(temporary).permission(new FsPermission(SECRET)));
  }

  /** Writes a file that only the owner may read, independent of the directory's permissions. */
  public FileStatus writeSecret(String name, byte[] content) throws IOException {
    write(
        name,
        out -> out.write(content),
        temporary -> fs.createFile(temporary).permission(new FsPermission(SECRET)));
    return fs.getFileStatus(file(name));
  }

  /**
   * Writes a file atomically: readers see the old file or the new one. A deleted directory is not
   * created again, because the file has no use then.
   */
  public void write(String name, ConsumerRaisingIOE<OutputStream> content) throws IOException {
    write(name, content, fs::createFile);
  }

  private void write(
      String name,
      ConsumerRaisingIOE<OutputStream> content,
      Function<Path, ? extends FSDataOutputStreamBuilder<?, ?>> creation)
      throws IOException {
    Path temporary = file("." + name + ".tmp");
    try (OutputStream out = creation.apply(temporary).overwrite(true).build()) {
      content.accept(out);
    }
    rename("." + name + ".tmp", name);
  }

  /**
   * Reads a value that {@link #writeJson} wrote.
   *
   * @param name name of the file
   * @throws UnreadableException if it is not such a value
   */
  public <T> T readJson(String name, Class<T> type) throws IOException {
    try (InputStream in = open(name)) {
      return SharedText.reader(type).readValue(in);
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new UnreadableException(file(name) + " cannot be read: " + e.getOriginalMessage(), e);
    }
  }

  /** Opens a file for reading. The caller closes it. */
  InputStream open(String name) throws IOException {
    return fs.open(file(name));
  }

  /**
   * Returns the inode number of a file, which changes when the file is replaced. Costs one small
   * NameNode call.
   *
   * @return the inode number; 0 if the file does not exist
   */
  public long number(String name) throws IOException {
    try {
      return fs.getFileStatus(file(name)) instanceof HdfsFileStatus status ? status.getFileId() : 0;
    } catch (FileNotFoundException e) {
      return 0;
    }
  }

  /**
   * Reads a file as text.
   *
   * @return its content
   * @throws IOException when it does not exist
   */
  public String readText(String name) throws IOException {
    try (InputStream in = open(name)) {
      return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    }
  }

  /**
   * Reads the record of a run that has ended.
   *
   * @throws FileNotFoundException if there is none
   * @throws IOException if it cannot be read or is not a record
   */
  public RunRecord readRecord() throws IOException {
    return RunRecordCodec.fromJson(readText(RECORD), file(RECORD).toString());
  }

  /**
   * Lists the files that a container needs: the jars.
   *
   * @return their files, qualified
   */
  public List<FileStatus> containerFiles() throws IOException {
    if (library == null) {
      throw new IllegalStateException("the directory of the jars of " + directory + " is not set");
    }
    return List.of(fs.listStatus(library));
  }
}
