package dev.weir.hdfs;

import dev.weir.hdfs.FileAdvice.Creation;
import dev.weir.hdfs.FileAdvice.Values;
import java.io.IOException;
import java.net.URI;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.Progressable;
import org.jspecify.annotations.Nullable;

/**
 * HDFS whose default replication and block size of a file are those that its hint advises; set it
 * as {@code fs.hdfs.impl}. What the program names itself is not touched, nor what its command line
 * sets ({@code -D dfs.replication=2}), and everything else is {@link DistributedFileSystem}'s.
 * Hints are those of the cluster that {@code fs.defaultFS} names and apply to no other.
 *
 * <p>Hints are begun to be read a second after the file system was made, 0.2 s after it first
 * opened or made a file, or at once if {@value #PATIENCE_KEY} is set: a command that lists, reads
 * or writes a file and ends pays nothing for them unless it asks for that. One file waits up to
 * {@value #PATIENCE_MILLIS} ms, or as long as is set, for hints that are being read; files are
 * stock until they are there.
 *
 * <p>No call fails because of hints: a file whose advised values the NameNode refuses is created
 * again with the stock ones; only {@link #createFile} leads past that, so keep {@code
 * dfs.replication.max} the same for clients and NameNode.
 */
public class WeirFileSystem extends DistributedFileSystem {
  /** How long one file waits for the hints: a time with its unit, such as {@code 50ms}. */
  public static final String PATIENCE_KEY = "weir.client.hints.patience";

  /** The default of {@value #PATIENCE_KEY}, in milliseconds. */
  static final long PATIENCE_MILLIS = 50;

  private FileAdvice advice = FileAdvice.none();

  /** Called by Hadoop, followed by {@link #initialize}. */
  public WeirFileSystem() {}

  @Override
  public void initialize(URI uri, Configuration conf) throws IOException {
    super.initialize(uri, QuickClose.applyTo(conf));
    advice = FileAdvice.of(uri, conf);
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    advice.workBegins();
    return super.open(path, bufferSize);
  }

  @Override
  public short getDefaultReplication(Path path) {
    return advice.replication(absolute(path), super.getDefaultReplication(path));
  }

  @Override
  public long getDefaultBlockSize(Path path) {
    return advice.blockSize(absolute(path), super.getDefaultBlockSize(path));
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      FsPermission permission,
      EnumSet<CreateFlag> flags,
      int bufferSize,
      short replication,
      long blockSize,
      @Nullable Progressable progress,
      @Nullable ChecksumOpt checksum)
      throws IOException {
    return creating(
        path,
        replication,
        blockSize,
        values ->
            super.create(
                path,
                permission,
                flags,
                bufferSize,
                values.replication(),
                values.blockSize(),
                progress,
                checksum));
  }

  @Override
  public FSDataOutputStream createNonRecursive(
      Path path,
      FsPermission permission,
      EnumSet<CreateFlag> flags,
      int bufferSize,
      short replication,
      long blockSize,
      @Nullable Progressable progress)
      throws IOException {
    return creating(
        path,
        replication,
        blockSize,
        values ->
            super.createNonRecursive(
                path,
                permission,
                flags,
                bufferSize,
                values.replication(),
                values.blockSize(),
                progress));
  }

  @Override
  public void close() throws IOException {
    try {
      super.close();
    } finally {
      advice.close();
    }
  }

  /** What came of the hints of this file system. */
  AdviceCounts counts() {
    return advice.counts();
  }

  private <T> T creating(Path path, short replication, long blockSize, Creation<T> creation)
      throws IOException {
    return advice.creating(
        absolute(path),
        new Values(replication, blockSize),
        () -> new Values(super.getDefaultReplication(path), super.getDefaultBlockSize(path)),
        creation);
  }

  private String absolute(Path path) {
    return fixRelativePart(path).toUri().getPath();
  }
}
