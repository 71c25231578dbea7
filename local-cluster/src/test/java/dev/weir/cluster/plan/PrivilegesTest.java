package dev.weir.cluster.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrivilegesTest {
  @ParameterizedTest(name = "{2}: {1}")
  @CsvSource({
    "000001ffffffffff, true, root",
    "00000000a80425fb, false, root in an ordinary container",
    "0000000000201000, true, just the two",
    "0000000000000000, false, a user",
    "ffffffffffffffff, true, all bits"
  })
  void namespacesNeedTwoCapabilities(String bits, boolean may, String who) {
    List<String> status = List.of("Name:\tjava", "CapPrm:\tffffffffffffffff", "CapEff:\t" + bits);
    assertThat(Privileges.mayMakeNamespaces(status)).as(who).isEqualTo(may);
  }
}
