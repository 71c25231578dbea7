package dev.weir.workflow.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;

class RunNameTest {
  private static final ApplicationId NEW = ApplicationId.newInstance(1_700_000_000_000L, 12);
  private static final ApplicationId MIDDLE = ApplicationId.newInstance(1_700_000_000_000L, 2);
  private static final ApplicationId OLD = ApplicationId.newInstance(1_600_000_000_000L, 2);
  private static final List<ApplicationId> KNOWN = List.of(NEW, MIDDLE, OLD);

  @Test
  void uniquePrefixesAndNumbersNameARun() throws Exception {
    assertThat(RunName.among(KNOWN, "last")).isEqualTo(NEW);
    assertThat(RunName.among(KNOWN, "12")).isEqualTo(NEW);
    assertThat(RunName.among(KNOWN, "0012")).isEqualTo(NEW);
    assertThat(RunName.among(KNOWN, "16")).isEqualTo(OLD);
    assertThat(RunName.among(KNOWN, "application_16")).isEqualTo(OLD);
    assertThat(RunName.among(KNOWN, "1700000000000_0002")).isEqualTo(MIDDLE);
    assertThat(RunName.full(OLD.toString())).isEqualTo(OLD);
    assertThat(RunName.full("last")).isNull();
  }

  @Test
  void runNumbersTakePrecedenceOverPrefixes() throws Exception {
    ApplicationId first = ApplicationId.newInstance(1_700_000_000_000L, 1);
    ApplicationId seventeenth = ApplicationId.newInstance(1_700_000_000_000L, 17);
    List<ApplicationId> known = List.of(seventeenth, NEW, MIDDLE, first);
    assertThat(RunName.among(known, "1")).isEqualTo(first);
    assertThat(RunName.among(known, "17")).isEqualTo(seventeenth);
    refused(known, "170", "could be " + seventeenth);
    refused(List.of(NEW, MIDDLE), "1", "could be " + NEW + ", " + MIDDLE);
  }

  @Test
  void ambiguousAndUnknownNamesAreRefused() {
    refused(KNOWN, "2", "could be " + MIDDLE + ", " + OLD);
    refused(KNOWN, "application_1", "give more of the id");
    refused(List.of(NEW), "application_", "no run 'application_'");
    refused(List.of(NEW), "", "no run ''");
    refused(KNOWN, "7", "weir runs");
    refused(KNOWN, "montage", "no run 'montage'");
    refused(List.of(), "last", "no runs");
  }

  private static void refused(List<ApplicationId> known, String name, String message) {
    assertThatExceptionOfType(SteeringException.class)
        .isThrownBy(() -> RunName.among(known, name))
        .withMessageContaining(message)
        .matches(e -> e.kind() == SteeringException.Kind.NOT_FOUND);
  }
}
