package dev.weir.cli.doctor;

import dev.weir.hints.client.EffectiveHint;
import dev.weir.hints.client.HintsClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Checks that no hint applies to HBase's files. HBase begins a new log when the present one has
 * fewer replicas than the default, and it needs the durability that its own settings ask for.
 */
record HBaseCheck(FileSystem fileSystem, HintsClient client) implements Check {
  private static final String SUBJECT = "HBase";
  private static final String ROOT_KEY = "hbase.rootdir";

  /** Where distributions put HBase. */
  private static final List<String> ROOTS = List.of("/hbase", "/apps/hbase/data", "/user/hbase");

  /** Paths below the root: a log, an old log and a table's file. */
  private static final List<String> FILES =
      List.of("WALs/any/any", "oldWALs/any", "data/default/any/any/any/any");

  @Override
  public String subject() {
    return SUBJECT;
  }

  @Override
  public void examine(Findings findings) throws IOException {
    List<String> roots = new ArrayList<>(ROOTS);
    String configured = fileSystem.getConf().getTrimmed(ROOT_KEY, "");
    if (!configured.isEmpty()) {
      roots.add(0, new Path(configured).toUri().getPath());
    }
    Map<String, EffectiveHint> hints = new LinkedHashMap<>();
    for (String root : roots) {
      if (fileSystem.exists(new Path(root))) {
        for (String file : FILES) {
          Optional<EffectiveHint> hint = client.hint(root + "/" + file);
          hint.ifPresent(found -> hints.putIfAbsent(found.pattern(), found));
        }
      }
    }
    hints.values().forEach(hint -> add(hint, findings));
  }

  static void add(EffectiveHint hint, Findings findings) {
    findings.note(
        "the pattern "
            + hint.pattern()
            + " of set "
            + hint.set()
            + " applies to its files; its logs roll if they have fewer replicas than the default",
        "weir hints rm " + hint.set() + ", or write a pattern that leaves them out");
  }
}
