package dev.weir.workflow.fetch;

import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.text.ErrorMessages;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.security.AccessControlException;

/** Files that are read as a stream: of Hadoop's file systems, and of FTP servers. */
final class StreamRemoteFile {

  private static final int BUFFER = 1 << 20;

  private StreamRemoteFile() {}

  /** A file of a file system that Hadoop's configuration knows. */
  record OfHadoop(URI url, Configuration conf) implements RemoteFile {

    @Override
    public RemoteStatus status() throws IOException {
      FileStatus file = file();
      return new RemoteStatus(file.getLen(), version(file), file.getModificationTime());
    }

    @Override
    public void readInto(FetchTarget target) throws IOException, InterruptedException {
      FileStatus file = file();
      String version = version(file);
      long from = version.equals(target.version()) ? target.position() : 0;
      target.begin(from, file.getLen(), version);
      try (FSDataInputStream in = fileSystem().open(file.getPath())) {
        in.seek(from);
        copy(in, target);
      }
    }

    private FileSystem fileSystem() throws IOException {
      try {
        return FileSystem.get(url, conf);
      } catch (UnsupportedFileSystemException e) {
        throw withoutConnector(ErrorMessages.firstLine(e));
      } catch (LinkageError e) {
        throw withoutConnector("the connector lacks " + e.getMessage());
      } catch (RuntimeException e) {
        if (ErrorMessages.chain(e).anyMatch(ClassNotFoundException.class::isInstance)) {
          // Hadoop's defaults name the classes of some connectors that it does not bring.
          throw withoutConnector("No FileSystem for scheme \"" + url.getScheme() + "\"");
        }
        // Such as a host that is unknown.
        throw new IOException(ErrorMessages.firstLine(e), e);
      }
    }

    private static FetchException withoutConnector(String problem) {
      return new FetchException(
          Result.REFUSED,
          problem + ": install Hadoop's connector for it on the nodes, such as hadoop-aws for s3a");
    }

    private FileStatus file() throws IOException {
      FileStatus file;
      try {
        file = fileSystem().getFileStatus(new Path(url));
      } catch (FileNotFoundException e) {
        throw new FetchException(
            Result.REFUSED, "there is no such file: correct the URL in the workflow");
      } catch (AccessControlException | java.nio.file.AccessDeniedException e) {
        throw new FetchException(
            Result.REFUSED,
            "access is denied: give the cluster's Hadoop configuration the credentials for it");
      }
      if (file.isDirectory()) {
        throw new FetchException(Result.REFUSED, "it is a directory: name a file");
      }
      return file;
    }

    private static String version(FileStatus file) {
      return file.getLen() + "@" + file.getModificationTime();
    }
  }

  /** A file of an FTP server. It is always read from the start. */
  record OfFtp(URI url, Duration silence) implements RemoteFile {

    @Override
    public RemoteStatus status() throws IOException {
      URLConnection connection = connection();
      try {
        connection.getInputStream().close();
        return new RemoteStatus(connection.getContentLengthLong(), "", RemoteStatus.UNKNOWN);
      } catch (FileNotFoundException e) {
        throw missing();
      }
    }

    @Override
    public void readInto(FetchTarget target) throws IOException, InterruptedException {
      URLConnection connection = connection();
      try (InputStream in = connection.getInputStream()) {
        long bytes = connection.getContentLengthLong();
        if (bytes < 0 && !target.hasChecksum()) {
          // FTP ends a file by closing the connection, as it ends a broken transfer.
          throw new FetchException(
              Result.REFUSED, "the server does not say how long the file is: declare its checksum");
        }
        target.begin(0, bytes, "");
        copy(in, target);
      } catch (FileNotFoundException e) {
        throw missing();
      }
    }

    private URLConnection connection() throws IOException {
      URLConnection connection = url.toURL().openConnection();
      connection.setConnectTimeout((int) silence.toMillis());
      connection.setReadTimeout((int) silence.toMillis());
      return connection;
    }

    private static FetchException missing() {
      return new FetchException(
          Result.REFUSED,
          "there is no such file, or it may not be read: correct the URL in the workflow");
    }
  }

  private static void copy(InputStream in, FetchTarget target)
      throws IOException, InterruptedException {
    byte[] buffer = new byte[BUFFER];
    for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
      if (Thread.interrupted()) {
        throw new InterruptedException("stopped");
      }
      target.write(ByteBuffer.wrap(buffer, 0, count));
    }
  }
}
