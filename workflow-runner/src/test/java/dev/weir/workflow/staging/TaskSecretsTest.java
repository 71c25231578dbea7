package dev.weir.workflow.staging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.Credentials;
import org.junit.jupiter.api.Test;

class TaskSecretsTest {

  private static final String VALUE = "päss wort'\"\n";

  private final TaskSecrets secrets = new TaskSecrets(Map.of("KEY", VALUE));

  @Test
  void areStoredInCredentials() {
    Credentials credentials = new Credentials();
    credentials.addSecretKey(new Text("other"), new byte[] {1});
    secrets.addTo(credentials);

    Map<String, String> variables = TaskSecrets.of(credentials).resolve(secrets.references());

    assertThat(variables).containsExactlyEntriesOf(Map.of("KEY", VALUE));
  }

  @Test
  void onlyNamesAreStoredAndPrinted() {
    assertThat(secrets.references()).containsExactlyEntriesOf(Map.of("KEY", "weir-secret:KEY"));
    assertThat(secrets).hasToString("secrets [KEY]");
  }

  @Test
  void otherVariablesStayAsTheyAre() {
    assertThat(secrets.resolve(Map.of("A", "a", "B", TaskSecrets.reference("KEY"))))
        .isEqualTo(Map.of("A", "a", "B", VALUE));
  }

  @Test
  void missingSecretIsNamed() {
    Map<String, String> variables = Map.of("A", TaskSecrets.reference("NONE"));

    assertThat(secrets.missing(variables)).containsExactly("NONE");
    assertThatThrownBy(() -> secrets.resolve(variables)).hasMessageContaining("[NONE]");
  }

  @Test
  void invalidShellNameIsRefused() {
    assertThatThrownBy(() -> new TaskSecrets(Map.of("A B", ""))).hasMessageContaining("'A B'");
  }
}
