package dev.weir.bench.shared;

import dev.weir.bench.comparison.ForeignSystem;
import dev.weir.bench.comparison.Subject;
import dev.weir.bench.measure.MeasuredRuns;
import dev.weir.bench.series.Setup;
import dev.weir.cluster.plan.ProgramLookup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs subjects whose tasks copy their inputs from a server on the master's node and their outputs
 * to it: an S3 server, or an SFTP server as on a submit host. Not thread-safe.
 */
public final class StagedRuns implements ForeignSystem {
  /** How the programs are installed on Debian and its derivatives. */
  public static final String INSTALL =
      "apt-get install rclone openssh-server; benchmarks/run downloads s3proxy";

  private static final List<String> PROGRAMS = List.of("rclone", "sshd", "ssh-keygen");
  private static final int SEVERAL = 5;

  private final Site site;
  private final Path scratch;
  private final StagingServer objects;
  private final StagingServer submitHost;

  private StagedRuns(Site site, Path scratch, StagingServer objects, StagingServer submitHost) {
    this.site = site;
    this.scratch = scratch;
    this.objects = objects;
    this.submitHost = submitHost;
  }

  /**
   * Starts both servers.
   *
   * @param s3proxy directory with the jars of the S3 server
   */
  public static StagedRuns start(Site site, Path s3proxy) throws IOException, InterruptedException {
    Path own = site.scratch().resolve("staged").toAbsolutePath();
    StagingServer objects = ObjectStore.start(site.cluster(), own.resolve("s3"), s3proxy);
    boolean started = false;
    try {
      StagingServer submitHost = SftpServer.start(site.cluster(), own.resolve("sftp"));
      started = true;
      return new StagedRuns(site, own, objects, submitHost);
    } finally {
      if (!started) {
        objects.close();
      }
    }
  }

  /**
   * Finds missing programs.
   *
   * @param s3proxy directory with the jars of the S3 server
   */
  public static List<String> missing(Path s3proxy) {
    List<String> missing = new ArrayList<>(ProgramLookup.missing(PROGRAMS));
    if (!Files.isDirectory(s3proxy)) {
      missing.add("s3proxy");
    }
    return missing;
  }

  @Override
  public MeasuredRuns.Measured run(Subject subject, Setup setup, Path results)
      throws IOException, InterruptedException {
    boolean inObjects = setup.equals(Setup.OBJECT_STORE) || setup.equals(Setup.OBJECT_STORE_5);
    boolean single = setup.equals(Setup.OBJECT_STORE) || setup.equals(Setup.SUBMIT_HOST);
    StagingServer server = inObjects ? objects : submitHost;
    StagedSlot.Staging staging = new StagedSlot.Staging(server, single ? 1 : SEVERAL);
    ShellCommands commands =
        new ShellCommands(subject.workflow().graph(), subject.programs().standIn());
    return new ServerRuns(site, server.files())
        .run(
            subject,
            setup,
            results,
            node -> StagedSlot.start(site, node, scratch, staging, commands));
  }

  @Override
  public void close() {
    submitHost.close();
    objects.close();
  }
}
