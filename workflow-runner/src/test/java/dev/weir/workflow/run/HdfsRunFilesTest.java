package dev.weir.workflow.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.SafeMode;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.util.functional.RemoteIterators;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HdfsRunFilesTest {

  private static final List<String> RESULTS = List.of("a", "deep/b", "empty");

  @TempDir private Path temp;
  private final Set<String> dead = new TreeSet<>();
  private final List<String> notes = new ArrayList<>();
  private final List<String> queries = new ArrayList<>();
  private final Blocks fs = new Blocks();
  private HdfsRunFiles runFiles;

  /** Local files whose blocks are placed on other nodes. */
  private static final class Blocks extends RawLocalFileSystem implements SafeMode {
    final Map<String, List<String>> nodes = new HashMap<>();
    boolean broken;
    int away;

    /** How often it reports safe mode before its DataNodes have reported their blocks. */
    int safe;

    @Override
    public boolean setSafeMode(SafeModeAction action, boolean isChecked) {
      assertThat(action).isEqualTo(SafeModeAction.GET);
      if (safe == 0) {
        return false;
      }
      safe--;
      if (safe == 0) {
        nodes.put("b", List.of("n2:1"));
      }
      return true;
    }

    int listings;

    @Override
    public RemoteIterator<LocatedFileStatus> listLocatedStatus(org.apache.hadoop.fs.Path path)
        throws IOException {
      listings++;
      if (away > 0) {
        away--;
        throw new RemoteException(StandbyException.class.getName(), "on purpose");
      }
      if (broken) {
        throw new IOException("broken on purpose");
      }
      List<LocatedFileStatus> located = new ArrayList<>();
      for (FileStatus file : listStatus(path)) {
        List<String> names = nodes.getOrDefault(file.getPath().getName(), List.of());
        BlockLocation block =
            new BlockLocation(
                names.toArray(String[]::new), names.toArray(String[]::new), 0, file.getLen());
        located.add(
            new LocatedFileStatus(
                file, file.isFile() ? new BlockLocation[] {block} : new BlockLocation[0]));
      }
      return RemoteIterators.remoteIteratorFromIterable(located);
    }
  }

  @BeforeEach
  void makeFiles() throws IOException {
    fs.initialize(URI.create("file:///"), new Configuration(false));
    Files.createDirectory(temp.resolve("deep"));
    Files.writeString(temp.resolve("a"), "a");
    Files.writeString(temp.resolve("deep/b"), "b");
    Files.writeString(temp.resolve("empty"), "");
    fs.nodes.put("a", List.of("n1:1"));
    fs.nodes.put("b", List.of("n1:1", "n2:1"));
    runFiles =
        new HdfsRunFiles(
            fs,
            Plans.below(temp.toString())::path,
            node -> {
              queries.add(node);
              return !dead.contains(node);
            },
            notes::add);
  }

  @Test
  void resultsOnReachableNodesArePresent() {
    assertThat(runFiles.lost(RESULTS)).isEmpty();
    assertThat(queries).as("one query for each node").containsExactly("n1:1");
    assertThat(fs.listings).as("one listing for each directory").isEqualTo(2);
  }

  @Test
  void resultOnAnUnreachableNodeIsLost() {
    dead.add("n1:1");

    assertThat(runFiles.lost(RESULTS)).containsExactly("a");
  }

  @Test
  void resultWithoutReplicaIsLost() {
    fs.nodes.put("b", List.of());

    assertThat(runFiles.lost(RESULTS)).containsExactly("deep/b");
  }

  @Test
  void deletedResultIsLost() throws IOException {
    Files.delete(temp.resolve("deep/b"));
    Files.delete(temp.resolve("deep"));

    assertThat(runFiles.lost(RESULTS)).containsExactly("deep/b");
  }

  @Test
  void restartedNameNodeGetsTimeForBlockReports() {
    fs.nodes.put("b", List.of());
    fs.safe = 2;

    assertThat(runFiles.lost(RESULTS)).isEmpty();
    assertThat(fs.safe).isZero();
    assertThat(notes).isEmpty();
  }

  @Test
  void resultWithoutReplicaAfterSafeModeIsLost() {
    fs.nodes.put("b", List.of());
    fs.nodes.put("a", List.of());
    fs.safe = 1;

    assertThat(runFiles.lost(RESULTS)).containsExactly("a");
  }

  @Test
  void unavailableNameNodeIsAwaited() {
    dead.add("n1:1");
    fs.away = 2;

    assertThat(runFiles.lost(RESULTS)).containsExactly("a");
    assertThat(notes).isEmpty();
  }

  @Test
  void uncheckedResultsAreNoted() {
    fs.broken = true;

    assertThat(runFiles.lost(RESULTS)).isEmpty();
    assertThat(notes).singleElement().asString().contains("broken on purpose");
  }

  @Test
  void removesFilesAndIgnoresMissingOnes() {
    runFiles.remove(List.of(temp.resolve("gone").toString(), temp.resolve("a").toString()));

    assertThat(temp.resolve("a")).doesNotExist();
  }
}
