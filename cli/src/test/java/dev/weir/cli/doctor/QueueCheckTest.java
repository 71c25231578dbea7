package dev.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.cli.doctor.Finding.Level;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.QueueACL;
import org.apache.hadoop.yarn.api.records.QueueInfo;
import org.apache.hadoop.yarn.api.records.QueueState;
import org.apache.hadoop.yarn.api.records.QueueUserACLInfo;
import org.apache.hadoop.yarn.util.Records;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class QueueCheckTest {
  private final Configuration client = new Configuration(false);
  private boolean hasAccessLists;
  private QueueState state = QueueState.RUNNING;
  private String permitted = "root.science";

  /** A ResourceManager with the queue {@code root.science}. */
  private final class Scheduler implements QueueCheck.Queues {
    @Override
    public @Nullable QueueInfo find(String name) {
      if (!name.equals("science") && !name.equals("root.science")) {
        return null;
      }
      QueueInfo queue = Records.newRecord(QueueInfo.class);
      queue.setQueueState(state);
      return queue;
    }

    @Override
    public List<QueueUserACLInfo> access() {
      return List.of(
          QueueUserACLInfo.newInstance(permitted, List.of(QueueACL.SUBMIT_APPLICATIONS)),
          QueueUserACLInfo.newInstance("root.science", List.of(QueueACL.ADMINISTER_QUEUE)));
    }

    @Override
    public void close() {}
  }

  private Finding finding() throws IOException {
    ObjectNode conf = new ObjectMapper().createObjectNode();
    conf.putArray("properties")
        .addObject()
        .put("key", "yarn.acl.enable")
        .put("value", Boolean.toString(hasAccessLists));
    List<Finding> findings =
        Findings.of(
            new QueueCheck(
                client,
                List.of(URI.create("http://rm:8088/")),
                (daemon, page) -> conf,
                configuration -> new Scheduler()));
    assertThat(findings).hasSize(1);
    return findings.get(0);
  }

  @Test
  void queueThatRunsAndPermitsTheUserIsFine() throws Exception {
    hasAccessLists = true;
    for (String name : List.of("science", "root.science")) {
      client.set("weir.queue", name);
      assertThat(finding().level()).isEqualTo(Level.FINE);
      assertThat(finding().text()).endsWith(" may submit to " + name + ", which is running");
    }
  }

  @Test
  void missingQueueIsAFaultIfItIsConfigured() throws Exception {
    client.set("weir.queue", "art");
    assertThat(finding().level()).isEqualTo(Level.WRONG);
    assertThat(finding().text()).isEqualTo("weir.queue is art: no such queue");
    assertThat(finding().remedy()).startsWith("weir-site.xml: weir.queue = ");

    client.unset("weir.queue");
    assertThat(finding().level()).isEqualTo(Level.NOTE);
    assertThat(finding().text()).startsWith("there is no queue default");
  }

  @Test
  void stoppedQueueIsAFault() throws Exception {
    client.set("weir.queue", "science");
    state = QueueState.STOPPED;
    assertThat(finding().level()).isEqualTo(Level.WRONG);
    assertThat(finding().remedy())
        .contains("capacity-scheduler.xml: ", ".state = RUNNING", "yarn rmadmin -refreshQueues");
  }

  @Test
  void userWhoMayNotSubmitIsNotedWhereAccessListsAreOn() throws Exception {
    client.set("weir.queue", "science");
    permitted = "root.art";
    assertThat(finding().level()).isEqualTo(Level.FINE);
    hasAccessLists = true;
    assertThat(finding().level()).isEqualTo(Level.NOTE);
    assertThat(finding().text()).endsWith(" may not submit to science");
    assertThat(finding().remedy()).contains("acl_submit_applications", "mapred queue -showacls");
  }
}
