package dev.weir.service.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.HintText;
import dev.weir.hints.SinglePathSets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReconciliationTest extends ReconciliationFixture {
  @Test
  void pathHintBecomesRuleAndFollowsRename() throws Exception {
    namespace.mkdir("/d");
    namespace.create("/f");
    namespace.hint("/d", "pipeline");
    namespace.hint("/f", "broadcast=4");
    catchUp();
    assertThat(pathRules()).isEqualTo(Map.of("/d/**", "pipeline", "/f", "broadcast=4"));
    assertThat(store.get(SinglePathSets.idFor("/d")).orElseThrow().owner()).isEqualTo("alice");
    namespace.rename("/d", "/e");
    namespace.hint("/f", "reuse");
    catchUp();
    assertThat(pathRules()).isEqualTo(Map.of("/e/**", "pipeline", "/f", "reuse"));
    namespace.hint("/e", null);
    namespace.remove("/f");
    catchUp();
    assertThat(pathRules()).isEmpty();
  }

  @Test
  void hintFollowsFileWhenNameIsReused() throws Exception {
    for (boolean late : List.of(false, true)) {
      namespace.create("/f");
      namespace.create("/g");
      namespace.create("/h");
      namespace.mkdir("/d");
      namespace.hint("/f", "broadcast=4");
      namespace.hint("/g", "pipeline");
      namespace.hint("/h", "local");
      if (!late) {
        catchUp();
      }
      namespace.create("/f");
      namespace.create("/x");
      namespace.rename("/x", "/g");
      namespace.rename("/h", "/moved");
      namespace.create("/h");
      catchUp();
      assertThat(pathRules()).as("late: " + late).isEqualTo(Map.of("/moved", "local"));
      namespace.remove("/moved");
      catchUp();
    }
  }

  @Test
  void ruleForFutureFileSurvivesCreation() throws Exception {
    Instant expires = clock.instant().plusSeconds(3600);
    store.put(set(SinglePathSets.idFor("/f"), "/f", HintText.parse("pipeline"), expires));
    namespace.create("/f");
    namespace.create("/f");
    catchUp();
    assertThat(pathRules()).isEqualTo(Map.of("/f", "pipeline"));
  }

  @Test
  void hintFollowsEarlierRenames() throws Exception {
    namespace.mkdir("/a");
    namespace.create("/a/f");
    namespace.hint("/a/f", "broadcast=4");
    namespace.rename("/a", "/b");
    namespace.rename("/b", "/c");
    catchUp();
    assertThat(pathRules()).isEqualTo(Map.of("/c/f", "broadcast=4"));
    assertThat(reconciliation.isSettled()).isTrue();
  }

  @Test
  void invalidHintChangesNothing() throws Exception {
    namespace.create("/f");
    namespace.create("/g");
    namespace.create("/h");
    namespace.hint("/f", "nonsense");
    namespace.hint("/g", "broadcast=33");
    namespace.hint("/h", "nodes=n1");
    catchUp();
    assertThat(pathRules()).isEmpty();
    assertThat(counters.hintsUnreadable.value()).isEqualTo(1);
    assertThat(counters.hintsRefused.value()).isEqualTo(2);
    assertThat(counters.ignored.list())
        .extracting(ignored -> ignored.get("path"))
        .containsExactly("/f", "/g", "/h");
    assertThat(counters.ignored.list().get(0).get("reason")).contains("'nonsense'");

    namespace.hint("/f", "pipeline");
    catchUp();
    assertThat(counters.ignored.list()).hasSize(2);
  }

  @Test
  void hintOfSharedPathIsLimited() throws Exception {
    for (String path : List.of("/removes", "/nodes", "/modest")) {
      namespace.mkdir(path);
      namespace.chown(path, "root");
      namespace.share(path);
    }
    namespace.hint("/removes", "temporary=1s");
    namespace.hint("/nodes", "nodes=n1");
    namespace.hint("/modest", "pipeline,temporary");
    catchUp();
    assertThat(pathRules()).containsOnlyKeys("/modest/**");
    assertThat(counters.hintsRefused.value()).isEqualTo(2);
  }

  @Test
  void pathHintsObeySetLimit() throws Exception {
    for (int i = 0; i < 12; i++) {
      namespace.create("/f" + i);
      namespace.hint("/f" + i, "pipeline");
    }
    catchUp();
    assertThat(store.snapshot().sets()).hasSize(9);
    assertThat(counters.hintsRefused.value()).isEqualTo(3);

    namespace.rename("/f0", "/moved");
    namespace.hint("/f1", "reuse");
    catchUp();
    assertThat(pathRules()).containsKey("/moved").doesNotContainKey("/f0").hasSize(9);
    assertThat(counters.hintsRefused.value()).isEqualTo(3);
  }

  @Test
  void sharedPathsOfAdministratorObeySetLimit() throws Exception {
    for (int i = 0; i < 24; i++) {
      String path = (i < 12 ? "/own" : "/shared") + i;
      namespace.create(path);
      namespace.chown(path, "root");
      if (i >= 12) {
        namespace.share(path);
      }
      namespace.hint(path, "pipeline");
    }
    catchUp();
    assertThat(pathRules()).hasSize(12).containsKey("/own11");
    assertThat(counters.hintsRefused.value()).isEqualTo(12);
  }

  @Test
  void renamesDoNotExceedSetLimit() throws Exception {
    for (int i = 0; i < 30; i++) {
      String path = "/bob" + i;
      namespace.create(path);
      namespace.chown(path, "bob" + i % 5);
      namespace.hint(path, "pipeline");
      handle();
      namespace.remove(path);
      handle();
    }
    for (int i = 0; i < 40; i++) {
      namespace.create("/f");
      namespace.hint("/f", "pipeline");
      handle();
      namespace.rename("/f", "/f" + i);
      handle();
    }
    long alices =
        store.snapshot().sets().stream().filter(set -> set.owner().equals("alice")).count();
    assertThat(alices).isLessThanOrEqualTo(18);
    catchUp();
    assertThat(pathRules().size()).isLessThanOrEqualTo(18);
  }

  @Test
  void ruleNewerThanRemovalRemains() throws Exception {
    namespace.create("/f");
    namespace.remove("/f");
    Instant expires = clock.instant().plusSeconds(3600);
    store.put(set(SinglePathSets.idFor("/f"), "/f", HintText.parse("pipeline"), expires));
    catchUp();
    assertThat(pathRules()).isEqualTo(Map.of("/f", "pipeline"));
  }

  @Test
  void setsReplicationThatClientOmitted() throws Exception {
    namespace.create("/d/before");
    set("s", "/d/*", "broadcast=5");
    namespace.create("/d/after");
    namespace.create("/d/meant", 2);
    namespace.create("/t/x");
    set("t", "/u/*", "pipeline,temporary");
    namespace.rename("/t/x", "/u/x");
    catchUp();
    assertThat(namespace.find("/d/before").orElseThrow().replication()).isEqualTo(5);
    assertThat(namespace.find("/d/after").orElseThrow().replication()).isEqualTo(5);
    assertThat(namespace.find("/d/meant").orElseThrow().replication()).isEqualTo(2);
    assertThat(namespace.find("/u/x").orElseThrow().replication()).isEqualTo(1);
  }

  @Test
  void removesOnlyFilesCreatedUnderTemporaryRule() throws Exception {
    namespace.create("/w/before");
    set("s", "/w/**", "temporary=1h");
    namespace.create("/w/under");
    namespace.create("/w/under.weir-1-1");
    namespace.rename("/w/under.weir-1-1", "/w/committed");
    namespace.create("/w/movedOut");
    namespace.rename("/w/movedOut", "/safe/movedOut");
    namespace.create("/elsewhere/x");
    namespace.rename("/elsewhere/x", "/w/movedIn");
    namespace.create("/w/replaced");
    namespace.create("/elsewhere/y");
    namespace.rename("/elsewhere/y", "/w/replaced");
    namespace.create("/w/ofAnother");
    namespace.chown("/w/ofAnother", "bob");
    namespace.create("/w/gone");
    namespace.remove("/w/gone");
    namespace.mkdir("/w/gone");
    catchUp();
    assertThat(namespace.deleted()).isEmpty();
    clock.advance(Duration.ofMinutes(59));
    catchUp();
    assertThat(namespace.deleted()).isEmpty();
    clock.advance(Duration.ofMinutes(2));
    catchUp();
    assertThat(namespace.deleted()).containsExactlyInAnyOrder("/w/under", "/w/committed");
    assertThat(reconciliation.expirableFiles()).isEmpty();
  }

  @Test
  void removedSetDropsItsFilesAndExpiredSetDoesNot() throws Exception {
    set("withdrawn", "/w/*", "temporary=1h");
    store.put(
        set("expiring", "/e/*", HintText.parse("temporary=1h"), clock.instant().plusSeconds(600)));
    clock.advance(Duration.ofSeconds(5));
    namespace.create("/w/x");
    namespace.create("/e/x");
    catchUp();
    store.remove("withdrawn");
    catchUp();
    clock.advance(Duration.ofHours(2));
    store.remove("expiring");
    catchUp();
    assertThat(namespace.deleted()).containsExactly("/e/x");
  }

  @Test
  void missingEditsDropUncertainFiles() throws Exception {
    set("s", "/w/*", "temporary=1h");
    namespace.create("/w/same");
    namespace.create("/w/other");
    catchUp();
    Instant last = clock.instant();
    namespace.remove("/w/other");
    namespace.create("/w/other");
    namespace.mkdir("/w/d");
    namespace.hint("/w/d", "pipeline");
    handled = namespace.edits().size();
    reconciliation.rescan(last);
    assertThat(reconciliation.expirableFiles())
        .extracting(ExpirableFile::path)
        .containsExactly("/w/same");
    assertThat(pathRules()).isEqualTo(Map.of("/w/d/**", "pipeline"));
  }

  @Test
  void keepsFileRenamedDuringMissingEdits() throws Exception {
    namespace.create("/elsewhere/old");
    set("s", "/w/*", "temporary=1h");
    namespace.create("/w/x");
    namespace.create("/w/unseen");
    handle();
    reconciliation.followTime(clock.instant());
    Instant last = clock.instant();
    namespace.rename("/elsewhere/old", "/w/x");
    handled = namespace.edits().size();
    reconciliation.rescan(last);
    clock.advance(Duration.ofHours(2));
    catchUp();
    assertThat(namespace.deleted()).containsExactly("/w/unseen");
  }

  @Test
  void keepsFileRenamedJustBefore() throws Exception {
    set("s", "/w/*", "temporary=1h");
    namespace.create("/w/x");
    namespace.create("/elsewhere/y");
    handle();
    clock.advance(Duration.ofHours(2));
    namespace.rename("/elsewhere/y", "/w/x");
    reconciliation.followTime(clock.instant());
    catchUp();
    assertThat(namespace.deleted()).isEmpty();
    assertThat(reconciliation.expirableFiles()).isEmpty();
  }

  @Test
  void laterRulesApplyToRecordedFiles() throws Exception {
    set("s", "/w/*", "temporary=1h");
    set("t", "/t/*", "temporary=1h");
    set("u", "/u/*", "temporary=1h");
    namespace.create("/w/kept");
    namespace.create("/w/not");
    namespace.create("/t/x");
    namespace.create("/u/x");
    catchUp();
    set("by-hand", "/w/kept", "keep");
    set("t", "/t/*", "pipeline");
    set("u", "/u/*", "temporary=3h");
    clock.advance(Duration.ofHours(2));
    catchUp();
    assertThat(namespace.deleted()).containsExactly("/w/not");
    clock.advance(Duration.ofHours(2));
    catchUp();
    assertThat(namespace.deleted()).containsExactlyInAnyOrder("/w/not", "/u/x");
  }

  @Test
  void refusalForOnePathAffectsNoOther() throws Exception {
    namespace.create("/d/a");
    namespace.create("/d/b");
    namespace.refuse("/d/a");
    set("s", "/d/*", "broadcast=5,cache");
    set("t", "/d/a", "broadcast=5,cache");
    String tooLong = "/" + "x".repeat(5000);
    namespace.mkdir(tooLong);
    namespace.hint(tooLong, "pipeline");
    namespace.mkdir("/e");
    namespace.hint("/e", "pipeline");
    catchUp();
    assertThat(namespace.find("/d/b").orElseThrow().replication()).isEqualTo(5);
    assertThat(namespace.cached()).containsExactly("/d");
    assertThat(pathRules()).isEqualTo(Map.of("/e/**", "pipeline"));
    assertThat(counters.refused.value()).isPositive();
  }

  @Test
  void neverLowersReplicationOfExistingFiles() throws Exception {
    namespace.create("/d/before");
    catchUp();
    set("s", "/d/*", "replicas=1");
    catchUp();
    assertThat(namespace.find("/d/before").orElseThrow().replication())
        .isEqualTo(FakeNamespace.BY_DEFAULT);
  }

  @Test
  void rescanFindsAddedAndRemovedHints() throws Exception {
    namespace.mkdir("/d");
    namespace.create("/d/f");
    namespace.create("/g");
    namespace.hint("/d", "pipeline");
    namespace.hint("/g", "pipeline");
    catchUp();
    store.put(
        set(
            SinglePathSets.idFor("/later"),
            "/later",
            HintText.parse("local"),
            START.plusSeconds(9000)));
    Instant last = clock.instant();
    namespace.hint("/d/f", "broadcast=4");
    namespace.remove("/g");
    handled = namespace.edits().size();
    clock.advance(Duration.ofMinutes(5));
    reconciliation.rescan(last);
    catchUp();
    assertThat(pathRules())
        .isEqualTo(Map.of("/d/**", "pipeline", "/d/f", "broadcast=4", "/later", "local"));
  }
}
