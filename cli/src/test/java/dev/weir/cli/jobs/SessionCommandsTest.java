package dev.weir.cli.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.Ran;
import dev.weir.workflow.client.Sessions;
import dev.weir.workflow.jobs.SessionStatus;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionCommandsTest {

  @Test
  void poolIsAnAliasOfSession() throws Exception {
    for (String command : List.of("start", "list", "ls", "status", "stop")) {
      Ran session = Ran.weir("session", command, "--help");
      Ran pool = Ran.weir("pool", command, "--help");
      assertThat(session.code()).as(session.err()).isZero();
      assertThat(pool.out()).isEqualTo(session.out());
    }
  }

  @Test
  void listShowsTheStatusOfEachSession() {
    SessionStatus status =
        new SessionStatus(
            "application_1_0002",
            "night",
            3,
            4,
            5,
            6,
            2,
            8,
            1,
            new SessionStatus.Offer("weir", 8, 2, 1024));

    String text =
        SessionCommand.text(
            List.of(
                new SessionCommand.Row(
                    new Sessions.Session("application_1_0003", "day", "ACCEPTED", 0), null),
                new SessionCommand.Row(
                    new Sessions.Session("application_1_0002", "night", "RUNNING", 0), status)));

    assertThat(text.lines().map(line -> line.replaceAll(" +", " ").strip()))
        .satisfiesExactly(
            head -> assertThat(head).isEqualTo("ID NAME STATE STARTED WORKERS WORKFLOWS JOBS"),
            day -> assertThat(day).startsWith("application_1_0003 day ACCEPTED").endsWith("- - -"),
            night ->
                assertThat(night).startsWith("application_1_0002 night RUNNING").endsWith("2 1 7"));
    assertThat(SessionCommand.text(List.of())).startsWith("No sessions.");
  }
}
