package dev.weir.service.locate;

import dev.weir.service.access.CallerFileSystems;
import dev.weir.service.locate.files.FileInfo;
import dev.weir.service.locate.files.FilePath;
import dev.weir.service.locate.files.PathFault;
import dev.weir.service.locate.files.PathLookup;
import dev.weir.service.locate.files.UserFileTrees;
import dev.weir.service.part.ProblemException;
import dev.weir.service.part.RequestExecutor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;

/** Finds the locations of files that a user may read. Nothing is cached between requests. */
public final class Locations {
  /** The most nodes in one response, where a node counts once for each file. */
  static final long MAX_NODES = 1_000_000;

  private final CallerFileSystems callers;
  private final PathLookup lookup;

  /**
   * Creates a finder.
   *
   * @param executor runs the calls; shared by all requests
   */
  public Locations(CallerFileSystems callers, ExecutorService executor) {
    this.callers = callers;
    this.lookup = new PathLookup(new RequestExecutor(executor));
  }

  /**
   * Looks up files.
   *
   * @param user the user who may see the results
   * @return a report on each path, in their order; a duplicate is looked up once
   * @throws ProblemException if the response would be too long
   */
  public Answer find(String user, List<FilePath> paths) throws IOException {
    UserFileTrees trees = new UserFileTrees(callers, user);
    Reports reports = new Reports();
    lookup.find(trees, unique(paths), reports);
    List<Located> files = new ArrayList<>(paths.size());
    for (FilePath path : paths) {
      files.add(new Located(path.text(), reports.of(path)));
    }
    return new Answer(files, trees.calls());
  }

  /** Returns each path once, however it was written. */
  static Collection<FilePath> unique(List<FilePath> paths) {
    Map<String, FilePath> unique = new LinkedHashMap<>();
    paths.forEach(path -> unique.putIfAbsent(key(path), path));
    return unique.values();
  }

  private static String key(FilePath path) {
    return path.authority() + path.path();
  }

  /**
   * The result.
   *
   * @param files in the order of the request
   */
  public record Answer(List<Located> files, long nameNodeCalls) {
    public Answer {
      files = List.copyOf(files);
    }
  }

  /**
   * A path and its report.
   *
   * @param path as it was requested
   */
  public record Located(String path, FileReport report) {}

  /** Interns names, because there may be a million entries for a hundred hosts. */
  private static final class Reports implements PathLookup.Listener {
    private final Map<String, FileReport> reports = new ConcurrentHashMap<>();
    private final Map<String, String> names = new ConcurrentHashMap<>();
    private final AtomicLong nodes = new AtomicLong();

    @Override
    public void file(FilePath path, FileInfo info) {
      NodeTotals totals = new NodeTotals();
      totals.add(info);
      List<NodeShare> best = totals.best();
      if (nodes.addAndGet(best.size()) > MAX_NODES) {
        throw ProblemException.invalid(
            "/paths",
            "the files are on more nodes than one response may have ("
                + MAX_NODES
                + ", a node counted with each file); ask for fewer files at a time");
      }
      List<NodeShare> shares = new ArrayList<>(best.size());
      for (NodeShare node : best) {
        shares.add(
            new NodeShare(
                intern(node.host()), intern(node.rack()), node.bytes(), node.cachedBytes()));
      }
      reports.put(key(path), new FileReport(info.length(), info.blocks().size(), shares, null));
    }

    @Override
    public void failed(FilePath path, PathFault fault) {
      reports.put(key(path), FileReport.of(fault));
    }

    FileReport of(FilePath path) {
      return reports.getOrDefault(key(path), FileReport.of(PathFault.NOT_FOUND));
    }

    private String intern(String name) {
      String first = names.putIfAbsent(name, name);
      return first == null ? name : first;
    }
  }
}
