package dev.weir.cluster.daemon;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.kerby.kerberos.kerb.client.KrbClient;

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
    Files.createDirectories(dir);
    Properties conf = MiniKdc.createConf();
    conf.setProperty(MiniKdc.KDC_BIND_ADDRESS, args[1]);
    conf.setProperty(MiniKdc.KDC_PORT, args[2]);
    MiniKdc kdc = new MiniKdc(conf, dir.toFile());
    kdc.start();
    kdc.createPrincipal(
        dir.resolve("daemons.keytab").toFile(), Arrays.copyOfRange(args, 4, args.length));
    for (String user : args[3].split(",", -1)) {
      File keytab = dir.resolve(user + ".keytab").toFile();
      kdc.createPrincipal(keytab, user);
      KrbClient client = new KrbClient(dir.toFile());
      client.setKdcHost(args[1]);
      client.setKdcTcpPort(kdc.getPort());
      client.setAllowUdp(false);
      client.init();
      client.storeTicket(
          client.requestTgt(user + "@" + kdc.getRealm(), keytab),
          dir.resolve(user + ".ticket").toFile());
    }
    Files.writeString(dir.resolve("ready"), "");
    new CountDownLatch(1).await();
  }
}
