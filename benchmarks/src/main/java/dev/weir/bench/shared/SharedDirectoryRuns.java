package dev.weir.bench.shared;

import dev.weir.bench.comparison.ForeignSystem;
import dev.weir.bench.comparison.Subject;
import dev.weir.bench.measure.MeasuredRuns;
import dev.weir.bench.series.Setup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs subjects in a directory that all nodes mount by sshfs from the master node, the counterpart
 * of an NFS server. Not thread-safe.
 */
public final class SharedDirectoryRuns implements ForeignSystem {
  /** The shell command that installs the programs on Debian and its derivatives. */
  public static final String INSTALL = "apt-get install sshfs openssh-server";

  public static final List<String> PROGRAMS = List.of("sshfs", "fusermount3", "sshd", "ssh-keygen");

  private final Site site;
  private final Path scratch;
  private final SftpServer server;
  private final ServerRuns runs;

  private SharedDirectoryRuns(Site site, Path scratch, SftpServer server) {
    this.site = site;
    this.scratch = scratch;
    this.server = server;
    this.runs = new ServerRuns(site, server.files());
  }

  /** Starts the server. */
  public static SharedDirectoryRuns start(Site site) throws IOException, InterruptedException {
    Path own = site.scratch().resolve("shared").toAbsolutePath();
    return new SharedDirectoryRuns(site, own, SftpServer.start(site.cluster(), own));
  }

  @Override
  public MeasuredRuns.Measured run(Subject subject, Setup setup, Path results)
      throws IOException, InterruptedException {
    ShellCommands commands =
        new ShellCommands(subject.workflow().graph(), subject.programs().standIn());
    return runs.run(
        subject,
        setup,
        results,
        node -> MountedSlot.start(site.cluster(), node, server, scratch, commands));
  }

  @Override
  public void close() {
    server.close();
  }
}
