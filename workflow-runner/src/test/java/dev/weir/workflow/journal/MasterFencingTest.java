package dev.weir.workflow.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.weir.workflow.hdfs.HdfsRetry;
import dev.weir.workflow.protocol.Secret;
import dev.weir.workflow.staging.MasterAddress;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.junit.jupiter.api.Test;

class MasterFencingTest {

  private static final HdfsRetry RETRY = HdfsRetry.of(Duration.ofMinutes(1), problem -> true);

  private final String earlier = Secret.generate(new SecureRandom()).toHex();
  private final MemoryStore store = new MemoryStore();
  private final List<String> reasons = new ArrayList<>();

  /** Keeps addresses in memory. */
  private static final class MemoryStore implements MasterFencing.AddressStore {
    final List<MasterAddress> left = new ArrayList<>();
    int failures;
    boolean silent;
    int safeModes;

    @Override
    public void publish(MasterAddress address) throws IOException {
      failOrNot();
      if (silent) {
        throw new IOException("HDFS takes nothing on purpose");
      }
      if (safeModes > 0) {
        safeModes--;
        throw new SafeModeException("nothing is written on purpose");
      }
      left.add(address);
    }

    @Override
    public Optional<MasterAddress> find() throws IOException {
      failOrNot();
      return left.isEmpty() ? Optional.empty() : Optional.of(left.get(left.size() - 1));
    }

    private void failOrNot() throws IOException {
      if (failures > 0) {
        failures--;
        throw new IOException("no answer on purpose");
      }
    }
  }

  private MasterFencing fencing(int attempt) throws InterruptedException {
    return MasterFencing.of(store, new MasterFencing.Term(attempt, Duration.ofMinutes(12)), RETRY);
  }

  @Test
  void writesTheSecretForTheNextMasterAndAddressAndTimeoutForWorkers() throws Exception {
    MasterFencing first = fencing(1);

    first.publish("10.0.0.1", 4242);

    String secret = first.secret().toHex();
    assertThat(store.left).containsExactly(new MasterAddress(1, "10.0.0.1", 4242, secret, 720_000));
    assertThat(store.left.get(0).toString()).doesNotContain(secret);
    assertThat(fencing(2).secret().toHex()).isEqualTo(secret);
  }

  @Test
  void workersSearchAsLongAsYarnMayNeed() {
    assertThat(
            MasterFencing.Term.of(1, Duration.ofMinutes(9), Duration.ofMinutes(4))
                .workerSearchTime())
        .isEqualTo(Duration.ofMinutes(9 + 3 + 4 + 10));
  }

  @Test
  void failureToWriteTheAddressIsIgnored() throws Exception {
    MasterFencing fencing = fencing(1);
    fencing.onReplaced(reasons::add);
    store.failures = Integer.MAX_VALUE;

    fencing.publish("10.0.0.1", 4242);

    assertThat(store.failures).as("a write was attempted").isLessThan(Integer.MAX_VALUE);
    assertThat(reasons).isEmpty();
  }

  @Test
  void failedReadOfTheSecretIsRetried() throws Exception {
    store.left.add(new MasterAddress(1, "10.0.0.1", 1, earlier, 1));
    store.failures = 2;

    assertThat(fencing(2).secret().toHex()).isEqualTo(earlier);
  }

  @Test
  void secondMasterAnnouncesItselfBeforeItAcceptsWorkers() throws Exception {
    store.left.add(new MasterAddress(1, "10.0.0.1", 1, earlier, 1));

    MasterFencing unused = fencing(2);

    assertThat(store.left).endsWith(new MasterAddress(2, "", 0, earlier, 720_000));
  }

  @Test
  void secondMasterWaitsForTheEndOfSafeMode() throws Exception {
    store.left.add(new MasterAddress(1, "10.0.0.1", 1, earlier, 1));
    store.safeModes = 2;

    MasterFencing unused = fencing(2);

    assertThat(store.left).endsWith(new MasterAddress(2, "", 0, earlier, 720_000));
  }

  @Test
  void firstMasterSeesTheSecondAndDoesNotReplaceIt() throws Exception {
    MasterFencing first = fencing(1);
    first.publish("10.0.0.1", 1);
    first.onReplaced(reasons::add);
    first.requireLast();
    MasterFencing second = fencing(2);
    second.publish("10.0.0.2", 2);

    assertThatIOException().isThrownBy(first::requireLast);
    first.publish("10.0.0.1", 1);

    assertThat(reasons).isNotEmpty().allMatch(reason -> reason.contains("ApplicationMaster 2"));
    assertThat(store.left.get(store.left.size() - 1).host()).isEqualTo("10.0.0.2");
    second.requireLast();
  }

  @Test
  void thirdMasterReplacesTheSecond() throws Exception {
    AtomicLong nanos = new AtomicLong();
    MasterFencing first = fencing(1);
    first.publish("10.0.0.1", 1);
    MasterFencing second = fencing(2);
    second.publish("10.0.0.2", 2);

    MasterFencing third =
        MasterFencing.of(
            store, new MasterFencing.Term(3, Duration.ofMinutes(12)), RETRY, nanos::get);
    third.publish("10.0.0.3", 3);

    assertThat(third.secret().toHex()).isEqualTo(first.secret().toHex());
    for (MasterFencing earlier : List.of(first, second)) {
      assertThatIOException()
          .isThrownBy(earlier::requireLast)
          .withMessageContaining("ApplicationMaster 3");
    }
    assertThatIOException().isThrownBy(third::requireAlone).withMessageContaining("earlier");
    nanos.addAndGet(Duration.ofSeconds(5).toNanos());
    third.requireAlone();
  }

  @Test
  void replacedMasterEndsNothingAndAnUncertainOneMay() throws Exception {
    MasterFencing first = fencing(1);
    first.publish("10.0.0.1", 1);
    store.failures = 2;
    first.requireNotReplaced();
    assertThat(first.isReplaced()).as("the state is unknown").isFalse();
    assertThat(store.failures).as("the store was read").isZero();

    MasterFencing second = fencing(2);

    assertThat(first.isReplaced()).isTrue();
    assertThatIOException()
        .isThrownBy(first::requireNotReplaced)
        .withMessageContaining("ApplicationMaster 2");
    second.requireNotReplaced();
  }

  @Test
  void secondMasterGivesUpIfItCannotAnnounceItself() throws Exception {
    store.left.add(new MasterAddress(1, "10.0.0.1", 1, earlier, 1));
    store.silent = true;
    MasterFencing second = fencing(2);
    second.onReplaced(reasons::add);

    second.publish("10.0.0.2", 2);

    assertThat(reasons)
        .singleElement()
        .asString()
        .contains("cannot be fenced off by this one, 2", "HDFS takes nothing on purpose");
  }

  @Test
  void announcedMasterContinuesWithoutAnAddress() throws Exception {
    store.left.add(new MasterAddress(1, "10.0.0.1", 1, earlier, 1));
    MasterFencing second = fencing(2);
    second.onReplaced(reasons::add);
    store.silent = true;

    second.publish("10.0.0.2", 2);

    assertThat(reasons).isEmpty();
  }

  @Test
  void secondMasterPermitsNoCommitsWhileTheFirstMay() throws Exception {
    AtomicLong nanos = new AtomicLong();
    store.left.add(new MasterAddress(1, "10.0.0.1", 1, earlier, 1));
    MasterFencing second =
        MasterFencing.of(
            store,
            new MasterFencing.Term(2, Duration.ofMinutes(12)),
            RETRY,
            nanos::incrementAndGet);
    assertThatIOException().isThrownBy(second::requireAlone).withMessageContaining("earlier");
    assertThat(second.unsettledMillis())
        .as("a check is valid for two seconds, and an order for two more")
        .isGreaterThan(4_000);

    nanos.addAndGet(Duration.ofSeconds(5).toNanos());

    second.requireAlone();
    assertThat(reasons).isEmpty();
  }

  @Test
  void secondMasterPermitsNoCommitsBeforeItAnnouncesItself() throws Exception {
    AtomicLong nanos = new AtomicLong();
    store.left.add(new MasterAddress(1, "10.0.0.1", 1, earlier, 1));
    store.silent = true;
    MasterFencing second =
        MasterFencing.of(
            store, new MasterFencing.Term(2, Duration.ofMinutes(12)), RETRY, nanos::get);
    nanos.addAndGet(Duration.ofHours(1).toNanos());
    assertThatIOException().isThrownBy(second::requireAlone);

    store.silent = false;
    second.publish("10.0.0.2", 2);
    assertThatIOException().isThrownBy(second::requireAlone);
    nanos.addAndGet(Duration.ofSeconds(5).toNanos());

    second.requireAlone();
  }
}
