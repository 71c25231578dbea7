package dev.weir.workflow.gang;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

/** A directory's files on a connection, with their relative paths. */
final class DirectoryCopy {

  private static final int BUFFER_BYTES = 1 << 16;

  private DirectoryCopy() {}

  static void send(Path directory, DataOutputStream out) throws IOException {
    List<Path> files;
    try (Stream<Path> found = Files.walk(directory)) {
      files = found.filter(Files::isRegularFile).toList();
    }
    for (Path file : files) {
      out.writeBoolean(true);
      out.writeUTF(directory.relativize(file).toString());
      out.writeLong(Files.size(file));
      Files.copy(file, out);
    }
    out.writeBoolean(false);
    out.flush();
  }

  /** Creates the files, executable: they may be programs, and HDFS does not say which are. */
  static void receive(DataInputStream in, Path directory) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    while (in.readBoolean()) {
      Path file = directory.resolve(in.readUTF());
      long left = in.readLong();
      Files.createDirectories(file.getParent());
      try (OutputStream to = Files.newOutputStream(file)) {
        while (left > 0) {
          int length = (int) Math.min(left, buffer.length);
          in.readFully(buffer, 0, length);
          to.write(buffer, 0, length);
          left -= length;
        }
      }
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }
  }
}
