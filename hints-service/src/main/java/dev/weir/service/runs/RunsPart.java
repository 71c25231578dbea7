package dev.weir.service.runs;

import dev.weir.hints.store.HintStore;
import dev.weir.service.access.FileSystemAccess;
import dev.weir.service.database.Database;
import dev.weir.service.database.DatabaseSettings;
import dev.weir.service.database.PeerInstances;
import dev.weir.service.part.ServicePart;
import java.io.IOException;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;

/** The calls on runs and on the provenance of files. */
public final class RunsPart implements ServicePart {
  private final PeerInstances peers;
  private final Database database;
  private final Set<Object> resources;

  /**
   * Creates the part without opening anything.
   *
   * @param store lists other instances
   * @param role the role in which instances watch the store
   * @throws IllegalArgumentException if a setting is invalid
   */
  public RunsPart(
      Configuration configuration,
      HintStore store,
      String role,
      FileSystemAccess access,
      Clock clock)
      throws IOException {
    peers =
        new PeerInstances(
            store::watchers,
            new PeerInstances.Self(
                role, NetUtils.getLocalHostname(), ProcessHandle.current().pid()));
    database = new Database(DatabaseSettings.from(configuration), peers);
    CurrentFiles hdfs = new CurrentFiles(access.callers());
    resources =
        Set.of(
            new RunsResource(
                new RunStore(database, clock, access.authorizer()::requireRunRows),
                new WfFormatExport(database),
                hdfs,
                access.authorizer()),
            new ProvenanceResource(new Provenance(database, hdfs, access.authorizer())));
  }

  @Override
  public String name() {
    return "runs";
  }

  @Override
  public Set<Object> resources() {
    return resources;
  }

  @Override
  public Map<String, Object> status(String user) {
    Optional<String> unavailableReason = database.unavailableReason();
    return unavailableReason.isEmpty()
        ? Map.of("database", database.place())
        : Map.of("database", database.place(), "trouble", unavailableReason.get());
  }

  @Override
  public void start() {
    peers.start();
    database.start();
  }

  @Override
  public void close() {
    peers.close();
    database.close();
  }
}
