package dev.weir.service.access;

import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.service.part.ProblemException;
import dev.weir.service.part.RequestExecutor;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.function.IntFunction;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;

/**
 * Checks whether a caller may write the literal prefixes of rules. Results are kept for one
 * request, in which no path is checked twice.
 */
public final class WritePermission {
  /** The number of paths that are checked on the request's own thread. */
  private static final int MAX_SEQUENTIAL = 4;

  private final CallerFileSystems callers;
  private final RequestExecutor workers;

  /**
   * Creates a check.
   *
   * @param executor runs the calls; shared by all requests
   */
  public WritePermission(CallerFileSystems callers, ExecutorService executor) {
    this.callers = callers;
    this.workers = new RequestExecutor(executor);
  }

  /**
   * Refuses rules of files that the caller may not write.
   *
   * @param fields returns the field of the rule with a given index
   * @throws ProblemException 403 for the first rule that is refused
   */
  void require(String caller, List<Rule> rules, IntFunction<String> fields) throws IOException {
    Map<Target, Integer> targets = new LinkedHashMap<>();
    for (int i = 0; i < rules.size(); i++) {
      targets.putIfAbsent(Target.of(rules.get(i).pattern()), i);
    }
    Request request = new Request(caller);
    Map<Target, Optional<String>> refusals = new ConcurrentHashMap<>();
    List<InvocationRaisingIOE> checks = new ArrayList<>();
    for (Target target : targets.keySet()) {
      checks.add(() -> refusals.put(target, request.refusal(target)));
    }
    if (checks.size() <= MAX_SEQUENTIAL) {
      for (InvocationRaisingIOE check : checks) {
        check.apply();
      }
    } else {
      workers.runAll(checks);
    }
    for (Map.Entry<Target, Integer> target : targets.entrySet()) {
      int rule = target.getValue();
      Optional<String> refusal = refusals.getOrDefault(target.getKey(), Optional.empty());
      if (refusal.isPresent()) {
        throw ProblemException.forbidden(
            fields.apply(rule),
            "rule " + rule + " (" + rules.get(rule).pattern() + "): " + refusal.get());
      }
    }
  }

  /**
   * The literal prefix of a rule.
   *
   * @param below whether the rule covers files below the path rather than the path alone
   */
  private record Target(String authority, String path, boolean below) {
    static Target of(PathPattern pattern) {
      return new Target(
          pattern.authority().orElse(CallerFileSystems.DEFAULT),
          pattern.literalPrefix(),
          !pattern.isLiteral());
    }
  }

  /** The results within one request. */
  private final class Request {
    private final String caller;
    private final Map<String, Access> known = new ConcurrentHashMap<>();

    Request(String caller) {
      this.caller = caller;
    }

    /** Returns why the caller may not write there; empty if the caller may. */
    Optional<String> refusal(Target target) throws IOException {
      Path path = new Path(target.path());
      Access answer = answer(target.authority(), path);
      if (target.below() && answer == Access.WRITABLE && isSticky(target.authority(), path)) {
        return Optional.of(
            path
                + " is sticky and does not belong to "
                + caller
                + ", so files of others in it are protected; name a directory in it");
      }
      while (answer == Access.ABSENT && path.getParent() != null) {
        path = path.getParent();
        answer = answer(target.authority(), path);
      }
      return answer == Access.WRITABLE
          ? Optional.empty()
          : Optional.of(caller + " may not write " + path);
    }

    private Access answer(String authority, Path path) throws IOException {
      String key = authority + path;
      Access cached = known.get(key);
      if (cached != null) {
        return cached;
      }
      // A directory that does not exist has no children, so they need no calls.
      Path parent = path.getParent();
      if (parent != null && known.get(authority + parent) == Access.ABSENT) {
        return Access.ABSENT;
      }
      Access answer = callers.call(caller, authority, files -> access(files, path));
      known.put(key, answer);
      if (answer == Access.ABSENT && parent != null) {
        answer(authority, parent);
      }
      return answer;
    }

    private boolean isSticky(String authority, Path path) throws IOException {
      FileStatus status = callers.call(caller, authority, files -> files.getFileStatus(path));
      return status.getPermission().getStickyBit() && !status.getOwner().equals(caller);
    }

    private Access access(FileSystem files, Path path) throws IOException {
      try {
        files.access(path, FsAction.WRITE);
        return Access.WRITABLE;
      } catch (AuthorizationException e) {
        throw ProblemException.forbidden(
                "the NameNode does not let "
                    + callers.self()
                    + " impersonate "
                    + caller
                    + "; set hadoop.proxyuser."
                    + callers.self()
                    + ".hosts and .groups in its core-site.xml: "
                    + e.getMessage())
            .because(e);
      } catch (AccessControlException e) {
        return Access.REFUSED;
      } catch (FileNotFoundException | ParentNotDirectoryException e) {
        return Access.ABSENT;
      }
    }
  }

  private enum Access {
    WRITABLE,
    REFUSED,
    ABSENT
  }
}
