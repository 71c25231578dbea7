package dev.weir.service.access;

import dev.weir.hints.Hint;
import dev.weir.hints.HintSet;
import dev.weir.hints.Placement;
import dev.weir.hints.Replication;
import dev.weir.hints.Rule;
import dev.weir.service.part.ProblemException;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.jspecify.annotations.Nullable;

/**
 * Decides who may write which rules. A user may write a rule if the user may write the nearest
 * existing ancestor of the rule's literal prefix, within the administrators' limits. Administrators
 * and the service's own user may write any rule.
 */
public final class Authorizer {
  private final WritePermission permission;
  private final AccessControlList admins;
  private final HintLimits limits;
  private final Clock clock;
  private final String self;

  /** Creates an authorizer that calls the file systems as the callers. */
  public Authorizer(
      WritePermission permission,
      CallerSettings settings,
      HintLimits limits,
      Clock clock,
      String self) {
    this.permission = permission;
    this.admins = new AccessControlList(settings.admins());
    this.limits = limits;
    this.clock = clock;
    this.self = self;
  }

  /** Returns the service's own user. */
  public String self() {
    return self;
  }

  public boolean isAdmin(String user) {
    return user.equals(self) || admins.isUserAllowed(UserGroupInformation.createRemoteUser(user));
  }

  /**
   * Refuses an owner that the caller may not name.
   *
   * @throws ProblemException 403
   */
  public void requireOwner(String caller, String owner) {
    if (!caller.equals(owner) && !isAdmin(caller)) {
      throw ProblemException.forbidden(
          "/owner",
          "the owner is "
              + owner
              + ", but only administrators may write sets of others; leave the field out, or"
              + " write "
              + caller);
    }
  }

  /**
   * Refuses to change another user's set.
   *
   * @throws ProblemException 403
   */
  public void requireOwned(String caller, HintSet set) {
    if (!caller.equals(set.owner()) && !isAdmin(caller)) {
      throw ProblemException.forbidden(
          "hint set '"
              + set.id()
              + "' belongs to "
              + set.owner()
              + "; "
              + caller
              + " may not change it. Use another id");
    }
  }

  /**
   * Refuses rules that the caller may not write.
   *
   * @param fields returns the JSON pointer to the rule with a given index
   * @throws ProblemException 403 for the first rule that is refused
   */
  public void requireRules(String caller, List<Rule> rules, IntFunction<String> fields)
      throws IOException {
    if (isAdmin(caller)) {
      return;
    }
    for (int i = 0; i < rules.size(); i++) {
      requireWithinLimits(rules.get(i), i, fields.apply(i));
    }
    permission.require(caller, rules, fields);
  }

  /**
   * Refuses a set with too many rules.
   *
   * @throws ProblemException 403
   */
  public void requireRuleCount(String caller, int rules) {
    if (rules > limits.rulesPerSet() && !isAdmin(caller)) {
      throw ProblemException.limit(
          "/rules",
          "the set has "
              + rules
              + " rules, and at most "
              + limits.rulesPerSet()
              + " are allowed ("
              + HintLimits.RULES_PER_SET.key()
              + "); use patterns with wildcards, or several sets");
    }
  }

  /**
   * Refuses one more set.
   *
   * @param current the number of sets that the owner has
   * @param field names the set in the request
   * @throws ProblemException 403
   */
  public void requireSetCount(String caller, long current, String field) {
    if (current >= limits.setsPerUser() && !isAdmin(caller)) {
      throw ProblemException.limit(
          field,
          caller
              + " has "
              + current
              + " hint sets, and at most "
              + limits.setsPerUser()
              + " are allowed ("
              + HintLimits.SETS_PER_USER.key()
              + "); remove sets that are no longer needed");
    }
  }

  /**
   * Refuses more rules than the owner of a set may have.
   *
   * @throws ProblemException 507
   */
  public void requireRuleTotal(String owner, long rules) {
    if (rules > limits.rulesPerUser() && !isAdmin(owner)) {
      throw ProblemException.noRoom(
          owner
              + " would have "
              + rules
              + " rules in all hint sets, and at most "
              + limits.rulesPerUser()
              + " are allowed ("
              + HintLimits.RULES_PER_USER.key()
              + "); use patterns with wildcards, or remove sets that are no longer needed");
    }
  }

  /**
   * Refuses records of runs that need too many rows of the database.
   *
   * @param rows the number of rows that the owner's runs would have
   * @throws ProblemException 403
   */
  public void requireRunRows(String owner, long rows) {
    if (rows > limits.runRowsPerUser() && !isAdmin(owner)) {
      throw ProblemException.limit(
          "",
          "the runs of "
              + owner
              + " would take "
              + rows
              + " rows of the database, and at most "
              + limits.runRowsPerUser()
              + " are allowed ("
              + HintLimits.RUN_ROWS_PER_USER.key()
              + "); remove some with: weir provenance --run RUN --forget");
    }
  }

  /**
   * Determines when a set expires.
   *
   * @param requested the expiry in the request; null for the longest time that is allowed, or for
   *     no expiry if the caller is an administrator
   * @throws ProblemException 400 if it is past, 403 if it is too far ahead
   */
  public @Nullable Instant expiry(String caller, @Nullable Instant requested) {
    if (requested != null && !requested.isAfter(clock.instant())) {
      throw ProblemException.invalid(
          "/expires", requested + " is past; write a time in the future, or remove the set");
    }
    if (isAdmin(caller)) {
      return requested;
    }
    // Whole seconds are easier to read, and the limit need not be exact.
    Instant latest =
        Instant.ofEpochSecond(clock.instant().plus(limits.lifetime()).getEpochSecond());
    if (requested != null && requested.isAfter(latest)) {
      throw ProblemException.limit(
          "/expires",
          "the set would expire at "
              + requested
              + ", and "
              + limits.lifetime()
              + " ahead is the limit ("
              + HintLimits.LIFETIME.key()
              + "); write "
              + latest
              + " or earlier and extend it with keep-alive");
    }
    return requested == null ? latest : requested;
  }

  private void requireWithinLimits(Rule rule, int number, String field) {
    Hint hint = rule.hint();
    int target = hint.replication().map(Replication::most).orElse(0);
    if (target > limits.replication()) {
      throw ProblemException.limit(
          field,
          describe(rule, number)
              + " asks for "
              + target
              + " replicas, and at most "
              + limits.replication()
              + " are allowed ("
              + HintLimits.REPLICATION.key()
              + ")");
    }
    if (hint.placement().filter(Placement.Nodes.class::isInstance).isPresent()) {
      throw ProblemException.forbidden(
          field,
          describe(rule, number)
              + " names nodes, which only administrators may ("
              + CallerSettings.ADMINS.key()
              + "); use collocate or local");
    }
  }

  private static String describe(Rule rule, int number) {
    return "rule " + number + " (" + rule.pattern() + ")";
  }
}
