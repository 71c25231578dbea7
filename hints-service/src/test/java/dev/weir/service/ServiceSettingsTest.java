package dev.weir.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.service.part.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** Every key is documented, known and read strictly. */
class ServiceSettingsTest {
  @Test
  void pageDocumentsAllKeys() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "hints-service.md"));
    for (Setting<?> setting : ServiceSettings.all()) {
      String fallback = setting.fallback().isEmpty() ? "empty" : "`" + setting.fallback() + "`";
      assertThat(page)
          .contains(
              "| `"
                  + setting.key()
                  + "` | "
                  + fallback
                  + " | "
                  + setting.unit()
                  + " | "
                  + setting.doc()
                  + " |\n");
    }
  }

  @Test
  void knowsKeysOfAllModules() throws IOException {
    Pattern key = Pattern.compile("\"(weir\\.(?:client|server|yarn|zookeeper)\\.[a-z.-]*[a-z])\"");
    Set<String> found = new TreeSet<>();
    try (Stream<Path> files = Files.walk(Path.of(".."))) {
      for (Path file : files.filter(ServiceSettingsTest::isSource).toList()) {
        key.matcher(Files.readString(file)).results().map(MatchResult::group).forEach(found::add);
      }
    }
    found.removeIf(text -> WeirConfiguration.known().contains(text.replace("\"", "")));
    assertThat(found).isEmpty();
  }

  @Test
  void unknownKeyIsReported() {
    Configuration configuration = new Configuration(false);
    configuration.set("weir.server.limit.body", "1m");
    configuration.set("weir.zookeeper.quorum", "here:2181");
    assertThat(WeirConfiguration.unknown(configuration)).containsExactly("weir.server.limit.body");
  }

  @Test
  void invalidValueIsReportedWithRemedy() {
    for (Setting<?> setting : ServiceSettings.all()) {
      Configuration configuration = new Configuration(false);
      assertThat(setting.from(configuration)).isNotNull();
      if (!setting.unit().startsWith("number")) {
        continue;
      }
      configuration.set(setting.key(), "many");
      assertThatThrownBy(() -> setting.from(configuration))
          .hasMessageContaining(setting.key() + " is 'many'; write a whole number");
    }
  }

  private static boolean isSource(Path file) {
    return file.toString().endsWith(".java") && file.toString().contains("/src/main/");
  }
}
