package dev.weir.workflow.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

class FirstContactTest {

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
  void safeModeIsRefusedWithWhatToDo() throws IOException {
    try (DistributedFileSystem fs = hdfs(true)) {
      assertThatThrownBy(() -> FirstContact.requireWritable(fs))
          .isInstanceOf(RunException.class)
          .hasMessageContaining("hdfs://nn:8020 is in safe mode")
          .hasMessageContaining("-safemode wait")
          .hasMessageContaining("-safemode leave");
    }
  }

  @Test
  void anHdfsThatTakesFilesIsFine() throws IOException {
    try (DistributedFileSystem fs = hdfs(false)) {
      assertThatCode(() -> FirstContact.requireWritable(fs)).doesNotThrowAnyException();
    }
  }

  @Test
  void withoutATicketTheRemedyIsTold() {
    UserGroupInformation ann = UserGroupInformation.createRemoteUser("ann");

    assertThatThrownBy(() -> FirstContact.requireTicket(true, ann))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("ann has no ticket")
        .hasMessageContaining("run kinit")
        .hasMessageNotContaining("\n");
    assertThatThrownBy(
            () ->
                FirstContact.requireTicket(true, UserGroupInformation.createProxyUser("bob", ann)))
        .hasMessageContaining("ann has no ticket");
  }

  @Test
  void aTicketOrATokenIsEnoughAndOthersNeedNone() {
    UserGroupInformation simple = UserGroupInformation.createRemoteUser("ann");
    UserGroupInformation ticket =
        UserGroupInformation.createRemoteUser("ann", SaslRpcServer.AuthMethod.KERBEROS);
    UserGroupInformation token = UserGroupInformation.createRemoteUser("ann");
    token.addToken(new Token<>());

    assertThatCode(
            () -> {
              FirstContact.requireTicket(false, simple);
              FirstContact.requireTicket(true, ticket);
              FirstContact.requireTicket(true, UserGroupInformation.createProxyUser("bob", ticket));
              FirstContact.requireTicket(true, token);
            })
        .doesNotThrowAnyException();
  }

  @Test
  void whoIsNotBelievedHasBeenAnswered() {
    assertThat(FirstContact.isUnproven(new SaslException("GSS initiate failed"))).isTrue();
    assertThat(
            FirstContact.isUnproven(
                new AccessControlException(
                    "SIMPLE authentication is not enabled.  Available:[TOKEN, KERBEROS]")))
        .isTrue();
    assertThat(FirstContact.isUnproven(new ConnectException("Connection refused"))).isFalse();
    assertThat(FirstContact.isUnproven(new SocketTimeoutException())).isFalse();
  }

  @Test
  void whoIsNotBelievedIsToldByTheTypeOfAnExceptionAndNotByItsWords() {
    assertThat(FirstContact.isUnproven(new IOException("see the authentication handbook")))
        .isFalse();
    assertThat(
            FirstContact.isUnproven(
                new IOException(
                    "DestHost:destPort nn:8020",
                    new SaslException("no", new GSSException(1).initCause(new Exception("KDC"))))))
        .isTrue();
    assertThat(FirstContact.isUnproven(new AuthorizationException("ann may not act for bob")))
        .isFalse();
    assertThat(
            FirstContact.isUnproven(
                new RemoteException(AccessControlException.class.getName(), "SIMPLE will not do")))
        .isTrue();
    assertThat(
            FirstContact.isUnproven(
                new RemoteException(AuthorizationException.class.getName(), "not for bob")))
        .isFalse();
  }
}
