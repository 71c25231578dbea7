package dev.weir.workflow.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.hdfs.DataDirectoryLock.Holder;
import dev.weir.workflow.run.OneNodeHdfs;
import dev.weir.workflow.session.OpenHookFileSystem;
import dev.weir.workflow.staging.RunException;
import java.io.IOException;
import java.net.ConnectException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs that write into the same data directory. */
class DataDirectoryLockTest {

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  private static final Holder FIRST = holder(1, 1);
  private static final Holder SECOND = holder(2, 9);

  private final DataDirectoryLock lock = new DataDirectoryLock(HDFS.fs(), "/locked/data");

  private static Holder holder(int run, int application) {
    return new Holder(
        ApplicationId.newInstance(1, run).toString(),
        ApplicationId.newInstance(1, application).toString());
  }

  @BeforeEach
  void remove() throws IOException {
    HDFS.fs().delete(new Path("/locked"), true);
  }

  @Test
  void aSecondRunIsRefusedWithTheFirstOne() throws IOException {
    lock.take(FIRST, holder -> true);

    assertThatThrownBy(
            () ->
                lock.take(
                    SECOND,
                    holder -> {
                      assertThat(holder).isEqualTo(FIRST);
                      return true;
                    }))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("The run " + FIRST.run() + " writes into /locked/data")
        .hasMessageContaining("'weir cancel " + FIRST.run() + "'")
        .hasMessageContaining("--data");
  }

  @Test
  void theLockOfADeadRunIsTaken() throws IOException {
    lock.take(FIRST, holder -> true);

    lock.take(SECOND, holder -> false);

    lock.release(FIRST.run());
    assertThatThrownBy(() -> lock.take(FIRST, SECOND::equals)).hasMessageContaining(SECOND.run());
  }

  @Test
  void theLockThatAnotherClientTookFromADeadRunIsKept() throws IOException {
    Holder third = holder(3, 3);
    lock.take(FIRST, holder -> true);

    assertThatThrownBy(
            () ->
                lock.take(
                    SECOND,
                    holder -> {
                      if (holder.equals(FIRST)) {
                        lock.take(third, dead -> false);
                      }
                      return holder.equals(third);
                    }))
        .isInstanceOf(RunException.class)
        .hasMessageContaining(third.run());

    assertThat(HDFS.fs().getXAttr(new Path("/locked/data"), DataDirectoryLock.ATTRIBUTE))
        .asString()
        .startsWith(third.run() + " ");
  }

  /** An HDFS client that runs an action before it first reads attributes. */
  private static final class ReadHookFileSystem extends DistributedFileSystem {

    private final AtomicReference<OpenHookFileSystem.Action> action;

    ReadHookFileSystem(OpenHookFileSystem.Action action) throws IOException {
      this.action = new AtomicReference<>(action);
      initialize(HDFS.fs().getUri(), HDFS.fs().getConf());
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path) throws IOException {
      action.getAndSet(() -> {}).run();
      return super.getXAttrs(path);
    }
  }

  @Test
  void aLockThatIsReleasedBeforeItIsReadIsTaken() throws IOException {
    lock.take(FIRST, holder -> true);
    try (DistributedFileSystem fs = new ReadHookFileSystem(() -> lock.release(FIRST.run()))) {
      new DataDirectoryLock(fs, "/locked/data").take(SECOND, holder -> true);
    }

    assertThatThrownBy(() -> lock.take(FIRST, SECOND::equals)).hasMessageContaining(SECOND.run());
  }

  @Test
  void anOutageIsNotTakenForAMissingLock() throws IOException {
    lock.take(FIRST, holder -> true);
    OpenHookFileSystem.Action outage =
        () -> {
          throw new ConnectException("Connection refused");
        };
    try (DistributedFileSystem fs = new ReadHookFileSystem(outage)) {
      assertThatThrownBy(
              () -> new DataDirectoryLock(fs, "/locked/data").take(SECOND, holder -> true))
          .isInstanceOf(ConnectException.class);
    }
  }

  @Test
  void aReleasedLockIsFree() throws IOException {
    lock.take(FIRST, holder -> true);

    lock.release(FIRST.run());

    lock.take(SECOND, holder -> true);
    assertThat(HDFS.fs().getXAttrs(new Path("/locked/data")))
        .containsOnlyKeys(DataDirectoryLock.ATTRIBUTE);
  }

  @Test
  void anAttributeThatNamesNoRunDoesNotLock() throws IOException {
    HDFS.fs().mkdirs(new Path("/locked/data"));
    HDFS.fs().setXAttr(new Path("/locked/data"), DataDirectoryLock.ATTRIBUTE, new byte[] {'x'});

    lock.take(FIRST, holder -> true);

    assertThatThrownBy(() -> lock.take(SECOND, FIRST::equals)).hasMessageContaining(FIRST.run());
  }
}
