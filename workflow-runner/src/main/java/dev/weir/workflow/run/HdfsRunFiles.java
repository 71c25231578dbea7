package dev.weir.workflow.run;

import dev.weir.workflow.controller.RunFiles;
import dev.weir.workflow.hdfs.AbandonedAttemptCleaner;
import dev.weir.workflow.hdfs.HdfsRetry;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.SafeMode;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The run's files in HDFS. A result is lost when it does not exist, or when no DataNode of one of
 * its blocks answers: the NameNode takes minutes to notice a dead node. Calls wait for an
 * unreachable or starting NameNode.
 */
public final class HdfsRunFiles implements RunFiles {

  private static final Logger LOG = LoggerFactory.getLogger(HdfsRunFiles.class);

  private final FileSystem fs;
  private final UnaryOperator<String> paths;
  private final Predicate<String> answers;
  private final Consumer<String> notes;

  /**
   * Creates the files of a run.
   *
   * @param paths gives the absolute path of the file with an id, without scheme
   * @param answers whether a DataNode answers, by its transfer address ({@code host:port})
   * @param notes receives messages for the user
   */
  public HdfsRunFiles(
      FileSystem fs,
      UnaryOperator<String> paths,
      Predicate<String> answers,
      Consumer<String> notes) {
    this.fs = fs;
    this.paths = paths;
    this.answers = answers;
    this.notes = notes;
  }

  @Override
  public List<String> lost(List<String> results) {
    try {
      return HdfsRetry.DEFAULT.through(() -> missing(results));
    } catch (IOException e) {
      LOG.warn("Cannot check whether the results exist", e);
      notes.accept("the results could not be checked at the end of the run: " + e.getMessage());
    } catch (InterruptedException e) {
      // The run has ended for another reason.
      Thread.currentThread().interrupt();
    }
    return List.of();
  }

  private List<String> missing(List<String> results) throws IOException {
    Map<Path, String> missing = new HashMap<>();
    for (String id : results) {
      missing.put(new Path(null, null, paths.apply(id)), id);
    }
    Set<Path> directories = new HashSet<>();
    missing.keySet().forEach(path -> directories.add(path.getParent()));
    Map<String, Boolean> asked = new HashMap<>();
    for (Path directory : directories) {
      removeExisting(missing, directory, asked);
    }
    return new ArrayList<>(missing.values());
  }

  /**
   * Removes existing files from the missing ones. One listing for each directory costs the NameNode
   * less than one call for each file.
   */
  private void removeExisting(Map<Path, String> missing, Path directory, Map<String, Boolean> asked)
      throws IOException {
    try {
      RemoteIterator<LocatedFileStatus> files = fs.listLocatedStatus(directory);
      while (files.hasNext()) {
        LocatedFileStatus file = files.next();
        Path path = Path.getPathWithoutSchemeAndAuthority(file.getPath());
        if (missing.containsKey(path) && file.isFile() && isHeld(file, asked)) {
          missing.remove(path);
        }
      }
    } catch (FileNotFoundException e) {
      LOG.warn("{} was deleted with the results in it", directory, e);
    }
  }

  private boolean isHeld(LocatedFileStatus file, Map<String, Boolean> asked) throws IOException {
    for (BlockLocation block : file.getBlockLocations()) {
      boolean held = false;
      for (String dataNode : block.getNames()) {
        held = held || asked.computeIfAbsent(dataNode, answers::test);
      }
      if (!held && block.getLength() > 0) {
        if (block.getNames().length == 0 && inSafeMode()) {
          throw new SafeModeException(
              "the NameNode has not heard yet who has the blocks of " + file.getPath());
        }
        LOG.warn("{} is lost: no DataNode of {} answers", file.getPath(), block);
        return false;
      }
    }
    return true;
  }

  /**
   * Whether the NameNode is in safe mode: then it lists files whose DataNodes have not reported
   * yet.
   */
  private boolean inSafeMode() throws IOException {
    return fs instanceof SafeMode nameNode && nameNode.setSafeMode(SafeModeAction.GET);
  }

  @Override
  public void remove(List<String> paths) {
    new AbandonedAttemptCleaner(fs).remove(paths);
  }
}
