package dev.weir.workflow.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.staging.RunException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import javax.security.sasl.SaslException;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.SaslRpcServer;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.security.token.Token;
import org.ietf.jgss.GSSException;
import org.junit.jupiter.api.Test;

class ClusterProbeTest {

  private static DistributedFileSystem hdfs(boolean safeMode) {
    return new DistributedFileSystem() {
      @Override
      public boolean isInSafeMode() {
        return safeMode;
      }

      @Override
      public URI getUri() {
        return URI.create("hdfs://nn:8020");
      }
    };
  }

  @Test
  void safeModeIsRefusedWithRemedy() throws IOException {
    try (DistributedFileSystem fs = hdfs(true)) {
      assertThatThrownBy(() -> ClusterProbe.requireWritable(fs))
          .isInstanceOf(RunException.class)
          .hasMessageContaining("hdfs://nn:8020 is in safe mode")
          .hasMessageContaining("-safemode wait")
          .hasMessageContaining("-safemode leave");
    }
  }

  @Test
  void writableHdfsIsAccepted() throws IOException {
    try (DistributedFileSystem fs = hdfs(false)) {
      assertThatCode(() -> ClusterProbe.requireWritable(fs)).doesNotThrowAnyException();
    }
  }

  @Test
  void missingTicketIsRefusedWithRemedy() {
    UserGroupInformation ann = UserGroupInformation.createRemoteUser("ann");

    assertThatThrownBy(() -> ClusterProbe.requireTicket(true, ann))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("ann has no ticket")
        .hasMessageContaining("run kinit")
        .hasMessageNotContaining("\n");
    assertThatThrownBy(
            () ->
                ClusterProbe.requireTicket(true, UserGroupInformation.createProxyUser("bob", ann)))
        .hasMessageContaining("ann has no ticket");
  }

  @Test
  void ticketOrTokenIsSufficient() {
    UserGroupInformation simple = UserGroupInformation.createRemoteUser("ann");
    UserGroupInformation ticket =
        UserGroupInformation.createRemoteUser("ann", SaslRpcServer.AuthMethod.KERBEROS);
    UserGroupInformation token = UserGroupInformation.createRemoteUser("ann");
    token.addToken(new Token<>());

    assertThatCode(
            () -> {
              ClusterProbe.requireTicket(false, simple);
              ClusterProbe.requireTicket(true, ticket);
              ClusterProbe.requireTicket(true, UserGroupInformation.createProxyUser("bob", ticket));
              ClusterProbe.requireTicket(true, token);
            })
        .doesNotThrowAnyException();
  }

  @Test
  void failedAuthenticationIsNotSilence() {
    assertThat(ClusterProbe.isUnauthenticated(new SaslException("GSS initiate failed"))).isTrue();
    assertThat(
            ClusterProbe.isUnauthenticated(
                new AccessControlException(
                    "SIMPLE authentication is not enabled.  Available:[TOKEN, KERBEROS]")))
        .isTrue();
    assertThat(ClusterProbe.isUnauthenticated(new ConnectException("Connection refused")))
        .isFalse();
    assertThat(ClusterProbe.isUnauthenticated(new SocketTimeoutException())).isFalse();
  }

  @Test
  void authenticationErrorsAreClassifiedByType() {
    assertThat(ClusterProbe.isUnauthenticated(new IOException("see the authentication handbook")))
        .isFalse();
    assertThat(
            ClusterProbe.isUnauthenticated(
                new IOException(
                    "DestHost:destPort nn:8020",
                    new SaslException("no", new GSSException(1).initCause(new Exception("KDC"))))))
        .isTrue();
    assertThat(
            ClusterProbe.isUnauthenticated(new AuthorizationException("ann may not act for bob")))
        .isFalse();
    assertThat(
            ClusterProbe.isUnauthenticated(
                new RemoteException(AccessControlException.class.getName(), "SIMPLE will not do")))
        .isTrue();
    assertThat(
            ClusterProbe.isUnauthenticated(
                new RemoteException(AuthorizationException.class.getName(), "not for bob")))
        .isFalse();
  }
}
