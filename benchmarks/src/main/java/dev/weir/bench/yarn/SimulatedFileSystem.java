package dev.weir.bench.yarn;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * A file system whose file names contain the location: {@code /on/17/…} is on node 17, with 256 MB.
 * No other operation is supported.
 */
public final class SimulatedFileSystem extends FileSystem {
  static final String SCHEME = "simulated";

  private static final long BYTES = 256L << 20;
  private static final URI HERE = URI.create(SCHEME + ":///");

  static String path(int node, int number) {
    return "/on/" + node + "/" + number;
  }

  @Override
  public void initialize(URI name, Configuration conf) throws IOException {
    super.initialize(name, conf);
    setConf(conf);
  }

  @Override
  public String getScheme() {
    return SCHEME;
  }

  @Override
  public URI getUri() {
    return HERE;
  }

  @Override
  public FileStatus getFileStatus(Path path) {
    return new FileStatus(BYTES, false, 1, BYTES, 0, makeQualified(path));
  }

  @Override
  public BlockLocation[] getFileBlockLocations(FileStatus file, long start, long length) {
    String[] parts = file.getPath().toUri().getPath().split("/", -1);
    String host = SimulatedHosts.host(Integer.parseInt(parts[2]));
    return new BlockLocation[] {
      new BlockLocation(new String[] {host + ":9866"}, new String[] {host}, 0, file.getLen())
    };
  }

  @Override
  public FileStatus[] listStatus(Path path) {
    return new FileStatus[] {getFileStatus(path)};
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) {
    throw new UnsupportedOperationException("open");
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress) {
    throw new UnsupportedOperationException("create");
  }

  @Override
  public FSDataOutputStream append(Path path, int bufferSize, Progressable progress) {
    throw new UnsupportedOperationException("append");
  }

  @Override
  public boolean rename(Path from, Path to) {
    throw new UnsupportedOperationException("rename");
  }

  @Override
  public boolean delete(Path path, boolean recursive) {
    throw new UnsupportedOperationException("delete");
  }

  @Override
  public boolean mkdirs(Path path, FsPermission permission) {
    throw new UnsupportedOperationException("mkdirs");
  }

  @Override
  public void setWorkingDirectory(Path directory) {
    // Paths are absolute.
  }

  @Override
  public Path getWorkingDirectory() {
    return new Path("/");
  }
}
