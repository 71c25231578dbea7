package dev.weir.service.locate;

import dev.weir.hints.index.HintIndex;
import dev.weir.hints.index.Match;
import dev.weir.service.access.CallerFileSystems;
import dev.weir.service.locate.files.FileInfo;
import dev.weir.service.locate.files.FilePath;
import dev.weir.service.locate.files.FileTree;
import dev.weir.service.locate.files.NameNodeErrors;
import dev.weir.service.locate.files.PathFault;
import dev.weir.service.locate.files.PathLookup;
import dev.weir.service.locate.files.UserFileTrees;
import dev.weir.service.locate.nodes.DataNode;
import dev.weir.service.locate.nodes.DataNodes;
import dev.weir.service.part.ProblemException;
import dev.weir.service.part.RequestExecutor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;

/** Ranks nodes by the data that they have, or will have, of some files. */
public final class InputNodeRanking {
  /** The most files that one request may look up. */
  static final int MAX_FILES = 200_000;

  private static final Comparator<Node> BEST_FIRST =
      Comparator.comparingLong((Node node) -> node.has().bytes())
          .thenComparingLong(node -> node.has().cachedBytes())
          .thenComparing(Node::expected)
          .reversed()
          .thenComparing(node -> node.has().host());

  private final CallerFileSystems callers;
  private final RequestExecutor workers;
  private final DataNodes dataNodes;
  private final Supplier<HintIndex> hints;

  /**
   * Creates a ranking.
   *
   * @param executor runs the calls; shared by all requests
   * @param hints predict where files will be
   */
  public InputNodeRanking(
      CallerFileSystems callers,
      ExecutorService executor,
      DataNodes dataNodes,
      Supplier<HintIndex> hints) {
    this.callers = callers;
    this.workers = new RequestExecutor(executor);
    this.dataNodes = dataNodes;
    this.hints = hints;
  }

  /**
   * Ranks the nodes.
   *
   * @param user the user who may see the locations
   * @param paths files, and directories, which stand for the files directly in them; a duplicate
   *     counts once
   * @throws ProblemException if there are too many files
   */
  public Answer rank(String user, List<FilePath> paths) throws IOException {
    UserFileTrees trees = new UserFileTrees(callers, user);
    Sums sums = new Sums();
    Collection<FilePath> unique = Locations.unique(paths);
    new PathLookup(workers).find(trees, unique, sums);
    workers.runAll(
        sums.directories.stream()
            .<InvocationRaisingIOE>map(directory -> () -> add(trees, directory, sums))
            .toList());
    Map<FilePath, PathFault> missing = sums.missing();
    Set<String> expected = new HashSet<>();
    List<NodeShare> nodes = new ArrayList<>(sums.best());
    Set<String> holders = new HashSet<>();
    nodes.forEach(node -> holders.add(node.host()));
    for (FilePath path : unique) {
      if (missing.get(path) == PathFault.NOT_FOUND) {
        Optional<DataNode> anchor = expected(path);
        if (anchor.isPresent()) {
          expected.add(anchor.get().host());
          if (holders.add(anchor.get().host())) {
            nodes.add(new NodeShare(anchor.get().host(), anchor.get().rack(), 0, 0));
          }
        }
      }
    }
    return new Answer(
        nodes.stream()
            .map(node -> new Node(node, expected.contains(node.host())))
            .sorted(BEST_FIRST)
            .toList(),
        sums.bytes(),
        unique.stream().filter(missing::containsKey).map(FilePath::text).toList(),
        trees.calls());
  }

  private Optional<DataNode> expected(FilePath path) throws IOException {
    HintIndex index = hints.get();
    if (!path.authority().isEmpty() && !path.authority().equals(index.authority())) {
      return Optional.empty();
    }
    Optional<Match> match = index.lookup(path.path());
    return match.isEmpty() || match.get().hint().placement().isEmpty()
        ? Optional.empty()
        : ExpectedLocation.first(match.get().hint(), path.path(), dataNodes.of(path.authority()));
  }

  private static void add(UserFileTrees trees, FilePath directory, Sums sums) throws IOException {
    boolean unused =
        trees.call(
            directory.authority(),
            tree -> {
              addAll(tree, directory, sums);
              return true;
            });
  }

  private static void addAll(FileTree tree, FilePath directory, Sums sums) throws IOException {
    byte[] last = FileTree.FIRST;
    try {
      while (true) {
        Optional<FileTree.Page> page = tree.page(directory.path(), last, name -> true);
        if (page.isEmpty()) {
          sums.failed(directory, PathFault.NOT_FOUND);
          return;
        }
        for (FileInfo file : page.get().entries().values()) {
          if (!file.directory()) {
            sums.file(directory, file);
          }
        }
        if (!page.get().more()) {
          return;
        }
        last = page.get().last();
      }
    } catch (IOException e) {
      sums.failed(directory, NameNodeErrors.fault(e));
    }
  }

  /**
   * The result.
   *
   * @param nodes best first
   * @param bytes the size of all files that exist
   * @param missing the requested paths without metadata
   */
  public record Answer(List<Node> nodes, long bytes, List<String> missing, long nameNodeCalls) {
    public Answer {
      nodes = List.copyOf(nodes);
      missing = List.copyOf(missing);
    }
  }

  /**
   * A node.
   *
   * @param has the data that it has
   * @param expected whether it will have one of the files that do not exist yet
   */
  public record Node(NodeShare has, boolean expected) {}

  private static final class Sums implements PathLookup.Listener {
    private final Collection<FilePath> directories = new ConcurrentLinkedQueue<>();
    private final Map<FilePath, PathFault> missing = new HashMap<>();
    private final NodeTotals totals = new NodeTotals();
    private long bytes;
    private int files;

    @Override
    public synchronized void file(FilePath path, FileInfo info) {
      files++;
      if (files > MAX_FILES) {
        throw ProblemException.invalid(
            "/paths",
            "there are more than "
                + MAX_FILES
                + " files, the last in "
                + path.text()
                + "; name fewer directories, or only the important files");
      }
      bytes += info.length();
      totals.add(info);
    }

    @Override
    public synchronized void failed(FilePath path, PathFault fault) {
      if (fault == PathFault.IS_DIRECTORY) {
        directories.add(path);
      } else {
        missing.put(path, fault);
      }
    }

    synchronized Map<FilePath, PathFault> missing() {
      return Map.copyOf(missing);
    }

    synchronized List<NodeShare> best() {
      return totals.best();
    }

    synchronized long bytes() {
      return bytes;
    }
  }
}
