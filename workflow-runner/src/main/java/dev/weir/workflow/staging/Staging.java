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
import org.jspecify.annotations.Nullable;

/**
 * The directory in HDFS where client and ApplicationMaster of one run leave files for each other,
 * and where the record stays when it has ended. Any thread may use it.
 */
public final class Staging {

  /** What the ApplicationMaster is to do. */
  public static final String PLAN = "plan.json";

  /** What the ApplicationMaster of a session is to do that takes runs and jobs. */
  public static final String SESSION = "session.json";

  /** Ids of the runs that went on when this one was submitted. */
  public static final String OTHERS = "others.json";

  /** Which sessions that have a directory had ended when this one was submitted. */
  public static final String ENDED = "ended.json";

  /** There when a later run has tidied up behind this one, which was killed. */
  public static final String TIDIED = "tidied";

  /** How far the run is, written once a second. */
  public static final String STATUS = "status.json";

  /** The run in a few words. */
  public static final String SUMMARY = "summary.json";

  /** The record of the run, written at its end. */
  public static final String RECORD = "run.json";

  /** Why the run failed, written at its end if it did. */
  public static final String FAILURE = "failure.json";

  /** The run's hint set, for its workers; there when the run has hints. */
  public static final String HINTS = "hints.json";

  /** What the names of journals begin with. */
  public static final String JOURNAL = "journal-";

  /** Where workers find the ApplicationMaster of a run. */
  public static final String MASTER = "master.json";

  /** Where a session takes runs and jobs, for those who may read this directory. */
  public static final String ENDPOINT = "endpoint.json";

  /** Name of the environment variable of a container that holds the path of this directory. */
  public static final String DIRECTORY_VARIABLE = "WEIR_STAGING";

  /** Variable that tells an ApplicationMaster where the jars of its workers are. */
  public static final String LIBRARY_VARIABLE = "WEIR_LIBRARY";

  /** Leaves the closing of a stream to whoever opened it. */
  private static final ObjectMapper JSON =
      new ObjectMapper().disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);

  private static final short PRIVATE = 0700;
  private static final short SECRET = 0600;

  private final DistributedFileSystem fs;
  private final Path directory;
  private final @Nullable Path library;

  /**
   * A staging directory.
   *
   * @param fs the file system that holds it
   * @param directory its place
   */
  public Staging(DistributedFileSystem fs, Path directory) {
    this(fs, fs.makeQualified(directory), null);
  }

  private Staging(DistributedFileSystem fs, Path directory, @Nullable Path library) {
    this.fs = fs;
    this.directory = directory;
    this.library = library;
  }

  /**
   * The same directory for whoever starts containers.
   *
   * @param jars directory that holds the runner's jars and nothing else
   * @return the directory
   */
  public Staging withLibrary(Path jars) {
    return new Staging(fs, directory, fs.makeQualified(jars));
  }

  /**
   * The directory.
   *
   * @return its qualified path
   */
  public Path directory() {
    return directory;
  }

  /**
   * A file in the directory.
   *
   * @param name its name
   * @return its qualified path
   */
  public Path file(String name) {
    return new Path(directory, name);
  }

  /**
   * Makes the directory.
   *
   * @throws RunException when the user has no home directory to make it in
   * @throws IOException when HDFS refuses
   */
  public void create() throws IOException {
    try {
      fs.mkdirs(directory, new FsPermission(PRIVATE));
    } catch (AccessControlException e) {
      throw HomeDirectory.explained(fs, directory, e);
    }
  }

  /**
   * Removes the directory with all that is in it.
   *
   * @throws IOException when HDFS refuses
   */
  public void delete() throws IOException {
    fs.delete(directory, true);
  }

  /**
   * Removes what is of no use when the run has ended: hints, wishes and where the ApplicationMaster
   * was. Answers stay, for somebody may still wait for the last one.
   *
   * @param journals whether the journals are of no use either: nothing is to be learned from them
   *     that is not elsewhere
   * @throws IOException when HDFS refuses
   */
  public void tidy(boolean journals) throws IOException {
    fs.delete(file(HINTS), false);
    fs.delete(file(MASTER), false);
    for (String name : names("")) {
      if (name.startsWith(SteeringRequest.PREFIX) || (journals && name.startsWith(JOURNAL))) {
        fs.delete(file(name), false);
      }
    }
  }

  /**
   * The files whose names begin so.
   *
   * @param prefix the beginning; empty for all
   * @return their names, in a list that may be changed; empty when there is no such directory
   * @throws IOException when they cannot be listed
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
   * How long the files are whose names begin so.
   *
   * @param prefix the beginning
   * @return the sum in bytes; 0 when there is none
   * @throws IOException when they cannot be listed
   */
  public long length(String prefix) throws IOException {
    long sum = 0;
    for (String name : names(prefix)) {
      sum += fs.getFileStatus(file(name)).getLen();
    }
    return sum;
  }

  /** A file that does not hold what it should. */
  public static final class UnreadableException extends IOException {

    private static final long serialVersionUID = 1L;

    UnreadableException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * Writes a value as JSON in one step: readers see the old file or the new one.
   *
   * @param name name of the file
   * @param value a record
   * @throws IOException when HDFS refuses
   */
  public void writeJson(String name, Object value) throws IOException {
    write(name, out -> JSON.writeValue(out, value));
  }

  /**
   * Writes a value that holds a secret, as {@link #writeJson} does: only the owner may read the
   * file, whatever becomes of the directory.
   *
   * @param name name of the file
   * @param value a record
   * @throws IOException when HDFS refuses
   */
  public void writeSecretJson(String name, Object value) throws IOException {
    write(
        name,
        out -> JSON.writeValue(out, value),
        temporary -> fs.createFile(temporary).permission(new FsPermission(SECRET)));
  }

  /** What writes a file's content; it need not close the stream. */
  public interface Content {

    /**
     * Writes.
     *
     * @param out where to
     * @throws IOException when it cannot be written
     */
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Writes a file in one step: readers see the old file or the new one. A directory that is gone is
   * not made again: whoever removed it has no use for the file.
   *
   * @param name name of the file
   * @param content writes what is in it
   * @throws IOException when HDFS refuses
   */
  public void write(String name, Content content) throws IOException {
    write(name, content, fs::createFile);
  }

  private void write(
      String name,
      Content content,
      Function<Path, ? extends FSDataOutputStreamBuilder<?, ?>> creation)
      throws IOException {
    Path temporary = file("." + name + ".tmp");
    try (OutputStream out = creation.apply(temporary).overwrite(true).build()) {
      content.writeTo(out);
    }
    fs.rename(temporary, file(name), Options.Rename.OVERWRITE);
  }

  /**
   * Reads what {@link #writeJson} wrote.
   *
   * @param name name of the file
   * @param type type of the value
   * @param <T> the same
   * @return the value
   * @throws UnreadableException when it is no such value
   * @throws IOException when the file does not exist or cannot be read
   */
  public <T> T readJson(String name, Class<T> type) throws IOException {
    try (InputStream in = open(name)) {
      return SharedText.reader(type).readValue(in);
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new UnreadableException(file(name) + " cannot be read: " + e.getOriginalMessage(), e);
    }
  }

  /** Opens a file to be read, and closed. */
  InputStream open(String name) throws IOException {
    return fs.open(file(name));
  }

  /**
   * Tells one file from another that was written in its place. One small call of the NameNode.
   *
   * @param name name of the file
   * @return the number that HDFS has given to it; 0 when there is none
   * @throws IOException when HDFS does not say it
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
   * @param name name of the file
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
   * @return the record
   * @throws FileNotFoundException when there is none
   * @throws IOException when it cannot be read or is no record
   */
  public RunRecord readRecord() throws IOException {
    return RunRecordCodec.fromJson(readText(RECORD), file(RECORD).toString());
  }

  /**
   * What the container of an ApplicationMaster needs: the jars.
   *
   * @return their files, qualified
   * @throws IOException when they cannot be listed
   */
  public List<FileStatus> masterFiles() throws IOException {
    if (library == null) {
      throw new IllegalStateException("nobody has said where the jars of " + directory + " are");
    }
    return List.of(fs.listStatus(library));
  }

  /**
   * What a worker's container needs: the jars, and the hints if the run has any.
   *
   * @return their files, qualified
   * @throws IOException when they cannot be listed
   */
  public List<FileStatus> workerFiles() throws IOException {
    List<FileStatus> files = new ArrayList<>(masterFiles());
    try {
      files.add(fs.getFileStatus(file(HINTS)));
    } catch (FileNotFoundException e) {
      // A run without hints.
    }
    return files;
  }
}
