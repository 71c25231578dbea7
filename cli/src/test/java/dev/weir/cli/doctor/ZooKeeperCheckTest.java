package dev.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.cli.doctor.Finding.Level;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ZooKeeperCheckTest {
  private static final String FORBIDDEN = " is not executed because it is not in the whitelist.\n";

  private final Map<String, String> answers = new HashMap<>();

  private List<Finding> of(String quorum) throws IOException {
    ObjectNode conf = new ObjectMapper().createObjectNode();
    conf.putArray("properties")
        .addObject()
        .put("key", "weir.zookeeper.quorum")
        .put("value", quorum);
    return Findings.of(
        new ZooKeeperCheck(
            List.of(URI.create("http://nn:9870/")), (daemon, page) -> conf, this::answer));
  }

  private String answer(String host, int port, String word) throws IOException {
    if (host.equals("down")) {
      throw new IOException("Connection refused");
    }
    assertThat(port).isEqualTo(2181);
    return answers.getOrDefault(word, word + FORBIDDEN);
  }

  private static String connections(String host, int count) {
    return (" /" + host + ":40000[1](queued=0,recved=4,sent=4,sid=0x1000a,lop=PING)\n")
        .repeat(count);
  }

  private Finding only(String quorum) throws IOException {
    assertThat(of(quorum)).hasSize(1);
    return of(quorum).get(0);
  }

  @Test
  void hostWithMostConnectionsIsNamed() throws Exception {
    answers.put("conf", "clientPort=2181\nmaxClientCnxns=20\n");
    String asking = " /10.0.0.9:40001[0](queued=0,recved=1,sent=0)\n";
    answers.put("cons", connections("10.0.0.1", 3) + connections("10.0.0.2", 7) + asking);
    assertThat(only("zk1:2181").text())
        .isEqualTo(
            "zk1:2181 has 10 connections from 2 hosts; most from 10.0.0.2: 7 of at most 20"
                + " (maxClientCnxns)");
    assertThat(only("zk1:2181").level()).isEqualTo(Level.FINE);

    answers.put("cons", connections("0:0:0:0:0:0:0:1", 16));
    assertThat(only("zk1").level()).isEqualTo(Level.NOTE);
    assertThat(only("zk1").remedy())
        .contains("ss -tnp 'dport = :2181'", "zoo.cfg: maxClientCnxns = 40");

    answers.put("conf", "maxClientCnxns=0\n");
    assertThat(only("zk1/chroot").level()).isEqualTo(Level.FINE);
  }

  @Test
  void fewConnectionsInAllAreFewFromEachHost() throws Exception {
    answers.put("srvr", "Zookeeper version: 3.8.6\nConnections: 5\nMode: standalone\n");
    assertThat(only("zk1:2181").level()).isEqualTo(Level.FINE);
    assertThat(only("zk1:2181").text())
        .isEqualTo(
            "zk1:2181 has 5 connections in all; for one host of at most 60 (maxClientCnxns's"
                + " default)");
  }

  @Test
  void whatAServerDoesNotTellIsUnknown() throws Exception {
    for (String srvr : List.of("Connections: 300\n", "srvr" + FORBIDDEN)) {
      answers.put("srvr", srvr);
      assertThat(only("zk1:2181").level()).isEqualTo(Level.UNKNOWN);
      assertThat(only("zk1:2181").remedy())
          .startsWith("zoo.cfg: 4lw.commands.whitelist = srvr,conf,cons");
    }
  }

  @Test
  void eachServerIsAsked() throws Exception {
    answers.put("srvr", "Connections: 5\n");
    assertThat(of("zk1:2181, down:2181,zk3:2181"))
        .extracting(Finding::level)
        .containsExactly(Level.FINE, Level.UNKNOWN, Level.FINE);
    assertThat(of("")).isEmpty();
  }
}
