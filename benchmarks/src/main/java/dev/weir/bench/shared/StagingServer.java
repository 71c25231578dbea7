package dev.weir.bench.shared;

import java.nio.file.Path;
import java.util.List;

/** A server to which tasks copy their outputs, and from which they copy their inputs. */
interface StagingServer extends AutoCloseable {
  /** Returns the directory with its files, as the server has it. */
  Path files();

  /** Returns rclone's arguments for the server. */
  List<String> rcloneOptions();

  /** Returns rclone's name of the directory. */
  String rcloneRemote();

  @Override
  void close();
}
