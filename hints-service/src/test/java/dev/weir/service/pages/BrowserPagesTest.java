package dev.weir.service.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.store.InMemoryHintStore;
import dev.weir.service.TestServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BrowserPagesTest {
  private static final String ACCEPT =
      "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";
  private static final String JAVA_ACCEPT = "text/html, image/gif, image/jpeg, */*; q=0.2";
  private static final String SCRIPT = "<script>alert(1)</script>";

  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    server =
        TestServer.over(
            new InMemoryHintStore(Clock.systemUTC()), Map.of("weir.server.admins", "ann"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private HttpResponse<String> page(String path) throws IOException, InterruptedException {
    return server.send("GET", path, "Accept", ACCEPT);
  }

  private void putSet(String id, String pattern) throws IOException, InterruptedException {
    HttpResponse<String> put =
        server.sendJson(
            "PUT",
            "/v1/hint-sets/" + id + "?user.name=ann",
            "{\"rules\":[{\"pattern\":\"" + pattern + "\",\"hint\":\"pipeline\"}]}");
    assertThat(put.statusCode()).as(put.body()).isLessThan(300);
  }

  @Test
  void setsAndTheirRulesAreLinked() throws Exception {
    putSet("one", "/a/b");
    putSet("two", "/a/*");

    HttpResponse<String> list = page("/v1/hint-sets?user.name=ann&limit=1");
    assertThat(list.headers().firstValue("Content-Type")).hasValue("text/html;charset=utf-8");
    assertThat(list.headers().firstValue("Content-Security-Policy")).isPresent();
    assertThat(list.body())
        .startsWith("<!DOCTYPE html>")
        .contains("<a href=\"/v1/hint-sets/one\">one</a>")
        .contains("<a href=\"/v1/hint-sets?owner=ann\">ann</a>")
        .contains("<a href=\"/v1/hint-sets?user.name=ann&amp;limit=1&amp;after=one\">");
    assertThat(page("/v1/hint-sets/one?user.name=ann").body())
        .contains("/a/b <a href=\"/v1/explain?path=%2Fa%2Fb\">explain</a>");
    assertThat(page("/v1/hint-sets/two?user.name=ann").body())
        .as("a pattern has no page")
        .doesNotContain("/v1/explain?path");
  }

  @Test
  void namesAreEscaped() throws Exception {
    putSet("s", "/a/" + SCRIPT + "'&");
    for (String path : new String[] {"/v1/hints", "/v1/explain"}) {
      String body =
          page(path + "?user.name=ann&path=/a/%3Cscript%3Ealert(1)%3C/script%3E'%26").body();
      assertThat(body)
          .as(path)
          .startsWith("<!DOCTYPE html>")
          .doesNotContain("<script", "<b>", "'&");
    }
    assertThat(page("/v1/hint-sets/s?user.name=ann").body())
        .contains("/a/&lt;script&gt;alert(1)&lt;/script&gt;&#39;&amp;");
  }

  @Test
  void programsGetJson() throws Exception {
    assertThat(server.send("GET", "/v1/status").body()).startsWith("{");
    assertThat(server.send("GET", "/v1/status", "Accept", JAVA_ACCEPT).body()).startsWith("{");
    assertThat(page("/v1/openapi.json").body()).startsWith("{");
    assertThat(page("/v1/status").body()).startsWith("<!DOCTYPE html>").contains("running");
    assertThat(page("/v1/watchers").body()).contains("version");
  }

  @Test
  void refusalsArePages() throws Exception {
    HttpResponse<String> absent = page("/v1/hint-sets/absent?user.name=ann");
    assertThat(absent.statusCode()).isEqualTo(404);
    assertThat(absent.body()).startsWith("<!DOCTYPE html>").contains("absent");
    assertThat(page("/v1/hint-sets?user.name=ann&no%3Cb%3E=1").body()).doesNotContain("<b>");
  }

  @Test
  void runsAndLineageArePages() throws Exception {
    server.awaitDatabase();
    HttpResponse<String> put =
        server.sendJson(
            "PUT",
            "/v1/runs/run-1?user.name=ann",
            "{\"workflow\":\"w "
                + SCRIPT
                + "\",\"mode\":\"weir\",\"state\":\"RUNNING\",\"stand-in\":false,"
                + "\"data-dir\":\"/tmp\",\"started\":\"2026-01-02T03:04:05Z\"}");
    assertThat(put.statusCode()).as(put.body()).isLessThan(300);

    assertThat(page("/v1/runs?user.name=ann").body())
        .contains("<a href=\"/v1/runs/run-1\">run-1</a>", "w &lt;script&gt;")
        .doesNotContain("<script");
    assertThat(page("/v1/runs/run-1?user.name=ann").body())
        .contains("<a href=\"/v1/runs/run-1/wfformat\">")
        .doesNotContain("<script");
    assertThat(page("/v1/provenance?user.name=ann&path=/tmp/%3Cscript%3E").body())
        .startsWith("<!DOCTYPE html>")
        .doesNotContain("<script");
  }
}
