package dev.weir.cluster.daemon;

import dev.weir.cluster.config.KerberosConfig;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import org.apache.kerby.kerberos.kerb.KrbException;
import org.apache.kerby.kerberos.kerb.client.KrbClient;
import org.apache.kerby.kerberos.kerb.server.SimpleKdcServer;

/** The key distribution centre of a secure cluster. It writes keys and tickets, and then serves. */
public final class KdcMain {

  private KdcMain() {}

  /**
   * Runs until the process is killed.
   *
   * @param args the directory with krb5.conf and for keys, address, port, users by commas, and
   *     principals of daemons
   */
  public static void main(String[] args) throws Exception {
    Path dir = Path.of(args[0]);
    // The server writes a krb5.conf of its own there, which names localhost.
    Path work = Files.createDirectories(dir.resolve("kdc"));
    SimpleKdcServer kdc = new SimpleKdcServer();
    kdc.setWorkDir(work.toFile());
    kdc.setKdcRealm(KerberosConfig.REALM);
    kdc.setKdcHost(args[1]);
    kdc.setKdcTcpPort(Integer.parseInt(args[2]));
    kdc.setAllowUdp(false);
    kdc.init();
    kdc.start();
    create(kdc, dir.resolve("daemons.keytab").toFile(), Arrays.copyOfRange(args, 4, args.length));
    for (String user : args[3].split(",", -1)) {
      File keytab = dir.resolve(user + ".keytab").toFile();
      create(kdc, keytab, user);
      KrbClient client = kdc.getKrbClient();
      client.storeTicket(
          client.requestTgt(user + "@" + KerberosConfig.REALM, keytab),
          dir.resolve(user + ".ticket").toFile());
    }
    Files.writeString(dir.resolve("ready"), "");
    new CountDownLatch(1).await();
  }

  /** Creates principals, and a file with the keys of these only. */
  private static void create(SimpleKdcServer kdc, File keytab, String... principals)
      throws KrbException {
    kdc.createPrincipals(principals);
    for (String principal : principals) {
      kdc.getKadmin().exportKeytab(keytab, principal);
    }
  }
}
