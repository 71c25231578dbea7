package dev.weir.service.access;

import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.service.part.Problem;
import dev.weir.service.part.ProblemException;
import dev.weir.service.part.RequestExecutor;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

/**
 * Checks with the file systems whether a caller may write where rules begin. Results are kept for
 * one request only, in which no path is checked twice.
 */
public final class WritePermission {
  /** The number of paths that are checked on the request's own thread. */
  private static final int FEW = 4;

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
   * @throws IOException if the file system does not answer
   */
  void require(String caller, List<Rule> rules, IntFunction<String> fields) throws IOException {
    Map<Place, Integer> places = new LinkedHashMap<>();
    for (int i = 0; i < rules.size(); i++) {
      places.putIfAbsent(Place.of(rules.get(i).pattern()), i);
    }
    List<Place> order = List.copyOf(places.keySet());
    List<Optional<String>> refusals = refusals(new Request(caller), order);
    for (int i = 0; i < order.size(); i++) {
      Optional<String> refusal = refusals.get(i);
      if (refusal.isPresent()) {
        int rule = Objects.requireNonNull(places.get(order.get(i)));
        throw new ProblemException(
            Problem.forbidden(
                fields.apply(rule),
                "rule " + rule + " (" + rules.get(rule).pattern() + "): " + refusal.get()));
      }
    }
  }

  private List<Optional<String>> refusals(Request request, List<Place> places) throws IOException {
    List<Optional<String>> refusals = new ArrayList<>();
    if (places.size() <= FEW) {
      for (Place place : places) {
        refusals.add(request.refusal(place));
      }
      return refusals;
    }
    Map<Integer, Optional<String>> found = new ConcurrentHashMap<>();
    List<RequestExecutor.Job> questions = new ArrayList<>();
    for (int i = 0; i < places.size(); i++) {
      int place = i;
      questions.add(() -> found.put(place, request.refusal(places.get(place))));
    }
    workers.all(questions);
    for (int i = 0; i < places.size(); i++) {
      refusals.add(found.getOrDefault(i, Optional.empty()));
    }
    return refusals;
  }

  /**
   * The path where a rule begins.
   *
   * @param path the literal prefix
   * @param below whether the rule covers files below the path rather than the path alone
   */
  private record Place(String authority, String path, boolean below) {
    static Place of(PathPattern pattern) {
      return new Place(
          pattern.authority().orElse(CallerFileSystems.DEFAULT),
          pattern.literalPrefix(),
          !pattern.isLiteral());
    }
  }

  /** The results within one request. */
  private final class Request {
    private final String caller;
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();

    Request(String caller) {
      this.caller = caller;
    }

    /** Returns why the caller may not write there; empty if the caller may. */
    Optional<String> refusal(Place place) throws IOException {
      Path path = new Path(place.path());
      Answer answer = answer(place.authority(), path);
      if (place.below() && answer == Answer.WRITABLE && isShared(place.authority(), path)) {
        return Optional.of(
            path
                + " is sticky and does not belong to "
                + caller
                + ", so files of others in it are protected; name a directory in it");
      }
      while (answer == Answer.ABSENT && path.getParent() != null) {
        path = path.getParent();
        answer = answer(place.authority(), path);
      }
      return answer == Answer.WRITABLE
          ? Optional.empty()
          : Optional.of(caller + " may not write " + path);
    }

    private Answer answer(String authority, Path path) throws IOException {
      String key = authority + path;
      Answer known = answers.get(key);
      if (known != null) {
        return known;
      }
      // A directory that does not exist has no children: one call answers for all of them.
      Path parent = path.getParent();
      if (parent != null && answers.get(authority + parent) == Answer.ABSENT) {
        return Answer.ABSENT;
      }
      Answer answer = callers.ask(caller, authority, files -> ask(files, path));
      answers.put(key, answer);
      if (answer == Answer.ABSENT && parent != null) {
        answer(authority, parent);
      }
      return answer;
    }

    private boolean isShared(String authority, Path path) throws IOException {
      FileStatus status = callers.ask(caller, authority, files -> files.getFileStatus(path));
      return status.getPermission().getStickyBit() && !status.getOwner().equals(caller);
    }

    private Answer ask(FileSystem files, Path path) throws IOException {
      try {
        files.access(path, FsAction.WRITE);
        return Answer.WRITABLE;
      } catch (AuthorizationException e) {
        throw new ProblemException(
            Problem.forbidden(
                "the NameNode does not let "
                    + callers.self()
                    + " be impersonated by "
                    + caller
                    + "; set hadoop.proxyuser."
                    + callers.self()
                    + ".hosts and .groups in its core-site.xml: "
                    + e.getMessage()),
            e);
      } catch (AccessControlException e) {
        return Answer.REFUSED;
      } catch (FileNotFoundException | ParentNotDirectoryException e) {
        return Answer.ABSENT;
      }
    }
  }

  private enum Answer {
    WRITABLE,
    REFUSED,
    ABSENT
  }
}
