package dev.weir.workflow.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;

class ProxyAccessTest {

  private static InetSocketAddress from(String address) throws UnknownHostException {
    return new InetSocketAddress(InetAddress.getByName(address), 1234);
  }

  private static Headers user(String name) {
    Headers headers = new Headers();
    headers.add("Cookie", "other=1; proxy-user=" + name);
    return headers;
  }

  @Test
  void onlyTheProxyIsAnswered() throws UnknownHostException {
    YarnConfiguration conf = new YarnConfiguration();
    conf.set(YarnConfiguration.RM_WEBAPP_ADDRESS, "192.0.2.7:8088");
    ProxyAccess access = ProxyAccess.of(conf, "ann", " ");

    assertThat(access.allows(from("192.0.2.7"), new Headers())).isTrue();
    assertThat(access.allows(from("192.0.2.8"), user("ann"))).isFalse();
    assertThat(access.allows(from("127.0.0.1"), user("ann"))).isFalse();
  }

  @Test
  void clusterOfOneMachineHasManyLoopbackAddresses() throws UnknownHostException {
    YarnConfiguration conf = new YarnConfiguration();
    conf.set(YarnConfiguration.RM_WEBAPP_ADDRESS, "127.0.0.7:8088");

    assertThat(ProxyAccess.of(conf, "ann", " ").allows(from("127.0.0.1"), new Headers())).isTrue();
  }

  @Test
  void usersAreCheckedIfYarnChecksThem() throws UnknownHostException {
    ProxyAccess access =
        new ProxyAccess(
            Set.of(InetAddress.getByName("127.0.0.7")),
            true,
            "ann",
            List.of(new AccessControlList("root"), new AccessControlList("eve")));

    assertThat(access.allows(from("127.0.0.7"), user("ann"))).isTrue();
    assertThat(access.allows(from("127.0.0.7"), user("root"))).isTrue();
    assertThat(access.allows(from("127.0.0.7"), user("eve"))).isTrue();
    assertThat(access.allows(from("127.0.0.7"), user("bob"))).isFalse();
    assertThat(access.allows(from("127.0.0.7"), new Headers())).isFalse();
  }
}
