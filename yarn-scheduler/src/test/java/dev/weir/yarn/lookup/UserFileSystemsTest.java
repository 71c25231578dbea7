package dev.weir.yarn.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UserFileSystemsTest {

  private final UserFileSystems pool = new UserFileSystems(configuration(), 2);

  private static Configuration configuration() {
    Configuration conf = new Configuration(false);
    conf.set("fs.defaultFS", "noted:///");
    conf.setClass("fs.noted.impl", Noted.class, FileSystem.class);
    return conf;
  }

  @BeforeEach
  void forget() {
    Noted.EVENTS.clear();
  }

  @Test
  void makesOneForEachUser() throws Exception {
    assertThat(pool.as("alice", UserFileSystemsTest::who)).isEqualTo("alice");
    assertThat(pool.as("bob", UserFileSystemsTest::who)).isEqualTo("bob");
    assertThat(pool.as("alice", UserFileSystemsTest::who)).isEqualTo("alice");

    assertThat(Noted.EVENTS).containsExactly("open alice", "open bob");
  }

  @Test
  void closesTheOneThatWasUsedLeastRecently() throws Exception {
    pool.as("alice", UserFileSystemsTest::who);
    pool.as("bob", UserFileSystemsTest::who);
    pool.as("alice", UserFileSystemsTest::who);
    pool.as("carol", UserFileSystemsTest::who);

    assertThat(Noted.EVENTS).containsExactly("open alice", "open bob", "open carol", "close bob");
  }

  @Test
  void closesNoneThatIsInUse() throws Exception {
    pool.as(
        "alice",
        fs -> {
          try {
            pool.as("bob", UserFileSystemsTest::who);
            pool.as("carol", UserFileSystemsTest::who);
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          assertThat(Noted.EVENTS).doesNotContain("close alice");
          return who(fs);
        });

    assertThat(Noted.EVENTS).endsWith("close alice");
  }

  @Test
  void closesAllWhenItIsClosedAndWhatIsInUseAfterwards() throws Exception {
    pool.as("bob", UserFileSystemsTest::who);
    pool.as(
        "alice",
        fs -> {
          pool.close();
          assertThat(Noted.EVENTS).containsExactly("open bob", "open alice", "close bob");
          return who(fs);
        });
    assertThat(Noted.EVENTS).endsWith("close alice");
    pool.close();
    assertThatThrownBy(() -> pool.as("carol", UserFileSystemsTest::who))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not active");

    assertThat(Noted.EVENTS).containsExactly("open bob", "open alice", "close bob", "close alice");
  }

  /** Hadoop's client has one connection for equal users, and two threads for each connection. */
  @Test
  void aUserWhoComesBackIsTheSameToHadoop() throws Exception {
    UserGroupInformation first = pool.as("alice", fs -> UserGroupInformation.getCurrentUser());
    pool.as("bob", UserFileSystemsTest::who);
    pool.as("carol", UserFileSystemsTest::who);
    assertThat(Noted.EVENTS).contains("close alice");

    UserGroupInformation again = pool.as("alice", fs -> UserGroupInformation.getCurrentUser());
    assertThat(again).isEqualTo(first);
  }

  private static String who(FileSystem fs) throws IOException {
    return ((Noted) fs).user;
  }

  /** Tells when it is opened and closed. */
  public static final class Noted extends RawLocalFileSystem {

    static final List<String> EVENTS = new CopyOnWriteArrayList<>();

    private String user = "";

    @Override
    public void initialize(URI uri, Configuration conf) throws IOException {
      super.initialize(uri, conf);
      user = UserGroupInformation.getCurrentUser().getShortUserName();
      EVENTS.add("open " + user);
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
