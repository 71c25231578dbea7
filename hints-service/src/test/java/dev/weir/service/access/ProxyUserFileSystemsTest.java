package dev.weir.service.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.service.part.ProblemException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProxyUserFileSystemsTest {
  private ProxyUserFileSystems callers;

  @BeforeEach
  void open() throws IOException {
    Configuration configuration = new Configuration();
    callers = new ProxyUserFileSystems(configuration, CallerSettings.from(configuration));
  }

  @AfterEach
  void close() {
    callers.close();
  }

  @Test
  void evictsOtherUsersButNeverServiceUser() throws IOException {
    FileSystem own = callers.call(callers.self(), files -> files);
    FileSystem first = callers.call("user-0", files -> files);
    for (int i = 1; i < 300; i++) {
      assertThat(callers.<Boolean>call("user-" + i, files -> true)).isTrue();
    }
    assertThat(callers.<FileSystem>call(callers.self(), files -> files)).isSameAs(own);
    assertThat(callers.<FileSystem>call("user-0", files -> files)).isNotSameAs(first);
  }

  @Test
  void invalidPathIsFaultOfCaller() {
    assertThatThrownBy(
            () ->
                callers.call(
                    "alice",
                    files -> {
                      throw new IllegalArgumentException("Pathname /a:b is not valid");
                    }))
        .isInstanceOfSatisfying(
            ProblemException.class,
            e -> {
              assertThat(e.problem().status()).isEqualTo(400);
              assertThat(e.problem().detail()).contains("/a:b");
            });
  }

  @Test
  void callsOnlyConfiguredFileSystems() {
    assertThatThrownBy(() -> callers.call("alice", "elsewhere:8020", files -> true))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("'elsewhere:8020' is not known here")
        .hasMessageContaining("weir.server.filesystems");
  }
}
