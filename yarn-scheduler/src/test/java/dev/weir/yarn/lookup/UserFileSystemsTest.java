package dev.weir.yarn.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UserFileSystemsTest {

  private final UserFileSystems pool = new UserFileSystems(configuration(), 2);

  private static Configuration configuration() {
    Configuration conf = new Configuration(false);
    conf.set("fs.defaultFS", "noted:///");
    conf.setClass("fs.noted.impl", Recorded.class, FileSystem.class);
    return conf;
  }

  @BeforeEach
  void forget() {
    Recorded.EVENTS.clear();
  }

  @Test
  void createsOneForEachUser() throws Exception {
    assertThat(pool.as("alice", UserFileSystemsTest::who)).isEqualTo("alice");
    assertThat(pool.as("bob", UserFileSystemsTest::who)).isEqualTo("bob");
    assertThat(pool.as("alice", UserFileSystemsTest::who)).isEqualTo("alice");

    assertThat(Recorded.EVENTS).containsExactly("open alice", "open bob");
  }

  @Test
  void closesTheLeastRecentlyUsed() throws Exception {
    pool.as("alice", UserFileSystemsTest::who);
    pool.as("bob", UserFileSystemsTest::who);
    pool.as("alice", UserFileSystemsTest::who);
    pool.as("carol", UserFileSystemsTest::who);

    assertThat(Recorded.EVENTS)
        .containsExactly("open alice", "open bob", "open carol", "close bob");
  }

  @Test
  void doesNotCloseOneInUse() throws Exception {
    pool.as(
        "alice",
        fs -> {
          try {
            pool.as("bob", UserFileSystemsTest::who);
            pool.as("carol", UserFileSystemsTest::who);
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          assertThat(Recorded.EVENTS).doesNotContain("close alice");
          return who(fs);
        });

    assertThat(Recorded.EVENTS).endsWith("close alice");
  }

  @Test
  void closeWaitsForThoseInUse() throws Exception {
    pool.as("bob", UserFileSystemsTest::who);
    pool.as(
        "alice",
        fs -> {
          pool.close();
          assertThat(Recorded.EVENTS).containsExactly("open bob", "open alice", "close bob");
          return who(fs);
        });
    assertThat(Recorded.EVENTS).endsWith("close alice");
    pool.close();
    assertThatThrownBy(() -> pool.as("carol", UserFileSystemsTest::who))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not active");

    assertThat(Recorded.EVENTS)
        .containsExactly("open bob", "open alice", "close bob", "close alice");
  }

  /** Hadoop's client shares a connection among equal users, with two threads per connection. */
  @Test
  void aReturningUserHasTheSameIdentity() throws Exception {
    UserGroupInformation first = pool.as("alice", fs -> UserGroupInformation.getCurrentUser());
    pool.as("bob", UserFileSystemsTest::who);
    pool.as("carol", UserFileSystemsTest::who);
    assertThat(Recorded.EVENTS).contains("close alice");

    UserGroupInformation again = pool.as("alice", fs -> UserGroupInformation.getCurrentUser());
    assertThat(again).isEqualTo(first);
  }

  /** The NameNode's audit logger of Weir counts no call whose context begins so. */
  @Test
  void callsAreMarkedAsUncounted() throws Exception {
    CallerContext before = new CallerContext.Builder("before").build();
    CallerContext.setCurrent(before);
    try {
      pool.as("alice", fs -> fs.getFileStatus(new Path("/")));

      assertThat(Recorded.EVENTS).last().asString().startsWith("status weir-service");
      assertThat(CallerContext.getCurrent()).isEqualTo(before);
    } finally {
      CallerContext.setCurrent(null);
    }
  }

  private static String who(FileSystem fs) throws IOException {
    return ((Recorded) fs).user;
  }

  /** Records when it is opened, called and closed. */
  public static final class Recorded extends RawLocalFileSystem {

    static final List<String> EVENTS = new CopyOnWriteArrayList<>();

    private String user = "";

    @Override
    public void initialize(URI uri, Configuration conf) throws IOException {
      super.initialize(uri, conf);
      user = UserGroupInformation.getCurrentUser().getShortUserName();
      EVENTS.add("open " + user);
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
      EVENTS.add("status " + CallerContext.getCurrent().getContext());
      return super.getFileStatus(path);
    }

    @Override
    public URI getUri() {
      return URI.create("noted:///");
    }

    @Override
    public void close() throws IOException {
      super.close();
      EVENTS.add("close " + user);
    }
  }
}
