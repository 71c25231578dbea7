package dev.weir.cli.doctor;

import dev.weir.hints.HintSet;
import dev.weir.hints.HintText;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.client.Explanation;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.WriteOptions;
import dev.weir.hints.client.WriteResult;
import dev.weir.hints.store.ClientRules;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a few small files under hints and checks where HDFS places them.
 *
 * @param files access to HDFS
 * @param directory the directory of the probes; created, and deleted afterwards
 * @param owner the user
 * @param now the time
 */
record ProbesCheck(Files files, HintsClient client, Path directory, String owner, Instant now)
    implements Check {
  private static final Logger LOG = LoggerFactory.getLogger(ProbesCheck.class);
  private static final String SUBJECT = "probes";
  private static final Duration APPLIED_WITHIN = Duration.ofSeconds(15);

  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final int LOOKS = 20;

  /** The hints expire after this time, also if the doctor is killed. */
  private static final Duration LIFETIME = Duration.ofMinutes(10);

  /**
   * Access to HDFS.
   *
   * @param present creates and deletes directories
   * @param probing configuration of the file system that writes the probes; it is opened after the
   *     hints have taken effect, so that its first read includes them
   */
  record Files(FileSystem present, Configuration probing) {}

  @Override
  public String subject() {
    return SUBJECT;
  }

  @Override
  public void examine(Findings findings) throws IOException {
    HintSet hints = new HintSet(directory.getName(), owner, now.plus(LIFETIME), rules());
    files.present().mkdirs(directory);
    try {
      WriteResult written = client.putSet(hints, WriteOptions.awaiting(APPLIED_WITHIN));
      if (!Boolean.TRUE.equals(written.applied())) {
        findings.wrong(
            "the NameNode has not taken a hint in within "
                + APPLIED_WITHIN.toSeconds()
                + " s, so no file was written",
            "see what is said of the NameNode");
        return;
      }
      if (!areRulesShown()) {
        findings.wrong(
            "the rules are not in the attribute "
                + ClientRules.ATTRIBUTE
                + " of /, so clients do not learn replication and block size",
            "GET /v1/status of the service tells why; its user must be a superuser of HDFS");
      }
      examineFiles(findings);
    } finally {
      cleanUp(hints.id());
    }
  }

  /** Waits until the service has written the rules for clients. */
  private boolean areRulesShown() throws IOException {
    String file = file(Probe.all().get(0), 0).toUri().getPath();
    for (int i = 0; i < LOOKS; i++) {
      byte[] value = files.present().getXAttrs(new Path("/")).get(ClientRules.ATTRIBUTE);
      if (value != null && ClientRules.decode(value, "", now).lookup(file).isPresent()) {
        return true;
      }
      Pause.of(PAUSE);
    }
    return false;
  }

  private void examineFiles(Findings findings) throws IOException {
    try (FileSystem fileSystem = FileSystem.newInstance(files.probing())) {
      for (Probe probe : Probe.all()) {
        examine(fileSystem, probe, findings);
      }
    }
  }

  /**
   * Deletes the probes. A failure here must not hide an earlier one; the hint set expires anyway.
   */
  private void cleanUp(String set) throws IOException {
    try {
      client.removeSet(set);
    } catch (IOException e) {
      LOG.debug("The set {} stays until it expires", set, e);
    }
    files.present().delete(directory, true);
  }

  private List<Rule> rules() {
    List<Rule> rules = new ArrayList<>();
    for (Probe probe : Probe.all()) {
      PathPattern files = PathPattern.parse(folder(probe).toUri().getPath() + "/*");
      rules.add(new Rule(files, HintText.parse(probe.hint())));
    }
    return rules;
  }

  private void examine(FileSystem fileSystem, Probe probe, Findings findings) throws IOException {
    for (int i = 0; i < probe.files(); i++) {
      write(fileSystem, file(probe, i), probe.regions());
    }
    List<List<Set<String>>> blocks = blocks(fileSystem, probe);
    String fault = probe.rule().fault(blocks);
    for (int i = 0; i < LOOKS && !fault.isEmpty(); i++) {
      // A file is complete when one DataNode has reported its last block; others may follow.
      Pause.of(PAUSE);
      blocks = blocks(fileSystem, probe);
      fault = probe.rule().fault(blocks);
    }
    Findings own = findings.about("probe " + probe.name());
    if (fault.isEmpty()) {
      own.fine("placed as '" + probe.hint() + "' wants it, " + nodes(blocks));
    } else {
      own.wrong(fault, remedy(probe));
    }
  }

  private static void write(FileSystem fileSystem, Path file, int regions) throws IOException {
    byte[] region = new byte[Probe.REGION_BYTES];
    try (OutputStream out = fileSystem.create(file)) {
      for (int i = 0; i < regions; i++) {
        out.write(region);
      }
    }
  }

  private List<List<Set<String>>> blocks(FileSystem fileSystem, Probe probe) throws IOException {
    List<List<Set<String>>> files = new ArrayList<>();
    for (int i = 0; i < probe.files(); i++) {
      List<Set<String>> hosts = new ArrayList<>();
      for (BlockLocation block :
          fileSystem.getFileBlockLocations(file(probe, i), 0, Long.MAX_VALUE)) {
        hosts.add(Set.of(block.getHosts()));
      }
      files.add(hosts);
    }
    return files;
  }

  private static String nodes(List<List<Set<String>>> blocks) {
    return "on "
        + blocks.stream()
            .flatMap(List::stream)
            .flatMap(Set::stream)
            .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The service knows the reasons; the probe is still there to be asked about. */
  private String remedy(Probe probe) {
    try {
      Explanation explained = client.explain(new Path(folder(probe), "file-0").toUri().getPath());
      String reasons =
          explained.differences().stream()
              .map(difference -> difference.what() + ": " + difference.why())
              .collect(Collectors.joining("; "));
      if (!reasons.isEmpty()) {
        return reasons;
      }
    } catch (IOException e) {
      return "'weir explain' on a file with such a hint tells why; just now it could not: "
          + e.getMessage();
    }
    return "see what is said of this client and of the DataNodes";
  }

  private Path file(Probe probe, int number) {
    return new Path(folder(probe), "file-" + number);
  }

  private Path folder(Probe probe) {
    return new Path(directory, probe.name());
  }
}
