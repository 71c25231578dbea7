package dev.weir.workflow.yarn;

import dev.weir.workflow.staging.RunException;
import dev.weir.workflow.staging.Staging;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * A user's Kerberos keys, with which an ApplicationMaster makes new delegation tokens before the
 * old ones end.
 */
public record UserKeytab(String principal, Path file) {

  /** The principal, in the configuration of a client and in the settings of a plan. */
  public static final String PRINCIPAL_KEY = "weir.kerberos.principal";

  private static final String FILE_KEY = "weir.kerberos.keytab";

  /**
   * Logs this process in, and makes applications that are submitted with a configuration get the
   * keys.
   *
   * @param conf is changed
   * @throws RunException if the keys cannot be used
   */
  public void login(Configuration conf) throws RunException {
    UserGroupInformation.setConfiguration(conf);
    if (!UserGroupInformation.isSecurityEnabled()) {
      throw new RunException("This cluster has no Kerberos: leave out --keytab and --principal");
    }
    if (!Files.isReadable(file)) {
      throw new RunException(
          "Cannot read the keytab " + file + ": check the path, and its permissions with 'ls -l'");
    }
    try {
      UserGroupInformation.loginUserFromKeytab(principal, file.toString());
    } catch (IOException e) {
      throw new RunException(
          "Cannot log in as "
              + principal
              + " with "
              + file
              + " ("
              + String.valueOf(e.getMessage()).lines().findFirst().orElse("")
              + "): see 'klist -kt "
              + file
              + "'",
          e);
    }
    conf.set(PRINCIPAL_KEY, principal);
    conf.set(FILE_KEY, file.toString());
  }

  /** The keytab with which a client has logged in, if it has. */
  public static Optional<UserKeytab> ofClient(Configuration conf) {
    String file = conf.get(FILE_KEY);
    return file == null ? Optional.empty() : of(conf, Path.of(file));
  }

  /**
   * The keytab that YARN has localised for an ApplicationMaster, if the client has sent one.
   *
   * @param conf with the plan's settings
   */
  public static Optional<UserKeytab> ofMaster(Configuration conf) {
    return of(conf, Path.of(Staging.KEYTAB));
  }

  private static Optional<UserKeytab> of(Configuration conf, Path file) {
    return Optional.ofNullable(conf.get(PRINCIPAL_KEY))
        .map(principal -> new UserKeytab(principal, file.toAbsolutePath()));
  }
}
