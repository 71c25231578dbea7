package dev.weir.workflow.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.record.RunState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobCodecTest {

  /** Reads the examples of Chirp's manual. */
  @Test
  void readsTheContainerOfAJob() throws InvalidJobException {
    String text =
        """
        {"id":"a","command":["x"],"files":[{"type":"INPUT","serv_path":"/img/tools.tar",\
        "task_path":"t.tar"}],"container":"t.tar"}
        """
            .strip();
    Job job = JobCodec.read(text, "unused");

    assertThat(job.options().needs().container()).isEqualTo("t.tar");
    assertThat(JobCodec.write(job)).isEqualTo(text);
    assertThat(job.task().inputs()).containsExactly("img/tools.tar");
    assertThatExceptionOfType(InvalidJobException.class)
        .isThrownBy(() -> JobCodec.read(text.replace("\"t.tar\"}]", "\"other\"}]"), "unused"))
        .withMessageContaining("add the file of the image to the inputs");
    assertThatExceptionOfType(InvalidJobException.class)
        .isThrownBy(() -> JobCodec.read(text.replace("\"t.tar\"}", "\"-v\"}"), "unused"))
        .withMessageContaining("The container image '-v' is invalid");
  }

  @Test
  void readsFurtherResourcesOfAJob() throws InvalidJobException {
    String text =
        """
        {"id":"a","command":["x"],"files":[],"resources":{"fpga":2,"yarn.io/gpu":1}}""";

    Job job = JobCodec.read(text, "unused");

    assertThat(job.options().needs().resources()).isEqualTo(Map.of("yarn.io/gpu", 1L, "fpga", 2L));
    assertThat(JobCodec.write(job)).isEqualTo(text);
    assertThatExceptionOfType(InvalidJobException.class)
        .isThrownBy(() -> JobCodec.read(text.replace("2,", "\"2\","), "unused"))
        .withMessageContaining("'fpga' is not a whole number");
    assertThatExceptionOfType(InvalidJobException.class)
        .isThrownBy(() -> JobCodec.read(text.replace("2,", "0,"), "unused"))
        .withMessageContaining("give 1 or more");
  }

  @Test
  void readsTheContainersOfAJob() throws InvalidJobException {
    String text =
        """
        {"id":"a","command":["x"],"files":[],"containers":4}""";

    Job job = JobCodec.read(text, "unused");

    assertThat(job.options().needs().containers()).isEqualTo(4);
    assertThat(JobCodec.write(job)).isEqualTo(text);
  }

  @Test
  void readsTheJobsOfChirpsManual() throws InvalidJobException {
    Job first =
        JobCodec.read(
            """
            {
                "executable": "/bin/sh",
                "arguments": [ "sh", "-c", "echo Hello, world! > my.output" ],
                "files": [
                            {
                                "task_path": "my.output",
                                "serv_path": "/some/directory/my.0.output",
                                "type": "OUTPUT"
                            }
                         ]
            }
            """,
            "first");
    assertThat(first.id()).isEqualTo("first");
    assertThat(first.command()).containsExactly("/bin/sh", "-c", "echo Hello, world! > my.output");
    assertThat(first.inputs()).isEmpty();
    assertThat(first.outputs())
        .containsExactly(new JobFile("/some/directory/my.0.output", "my.output"));
    assertThat(first.task().type()).isEqualTo("sh");

    Job second =
        JobCodec.read(
            """
            {
                "executable": "/bin/tar",
                "arguments": [ "tar", "-cf", "archive.tar", "a", "b" ],
                "files": [
                   { "task_path": "a", "serv_path": "/users/btovar/a.txt", "type": "INPUT",
                     "binding": "LINK" },
                   { "task_path": "b", "serv_path": "/users/btovar/b.txt", "type": "INPUT",
                     "binding": "LINK" },
                   { "task_path": "archive.tar", "serv_path": "/users/btovar/archive.tar",
                     "type": "OUTPUT", "binding": "LINK" }
                ]
            }
            """,
            "second");
    assertThat(second.inputs())
        .containsExactly(
            new JobFile("/users/btovar/a.txt", "a"), new JobFile("/users/btovar/b.txt", "b"));
    assertThat(second.task().inputs()).containsExactly("users/btovar/a.txt", "users/btovar/b.txt");
    assertThat(second.task().outputs()).containsExactly("users/btovar/archive.tar");

    Job third =
        JobCodec.read(
            """
            { "executable": "./my-custom-exec.sh",
              "arguments": [ "my-custom-exec.sh", "output.txt" ],
              "files": [
                { "task_path": "my-custom-exec.sh", "serv_path": "/d/my-custom-exec.sh",
                  "type": "INPUT", "binding": "LINK" },
                { "task_path": "output.txt", "serv_path": "/d/output.txt", "type": "OUTPUT" } ] }
            """,
            "third");
    assertThat(third.command()).containsExactly("./my-custom-exec.sh", "output.txt");
  }

  @Test
  void readsItsOwnFields() throws InvalidJobException {
    Job job =
        JobCodec.read(
            """
            {"id":"align-17","tag":"align","command":["align","a b"],
             "environment":{"LANG":"C"},
             "files":[{"type":"output","serv_path":"/o","task_path":"d/o","size":7,
                       "hint":"broadcast=3"}],
             "cores":2,"memory-mb":512,"wall-time":60,"runtime-seconds":1.5,"priority":-3,"attempts":3}
            """,
            "unused");

    assertThat(job.id()).isEqualTo("align-17");
    assertThat(job.environment()).isEqualTo(Map.of("LANG", "C"));
    assertThat(job.outputs()).containsExactly(new JobFile("/o", "d/o", 7, "broadcast=3"));
    assertThat(job.options())
        .isEqualTo(new JobOptions(new TaskNeeds(2, 512L << 20, 0, 60, false), 1.5, -3, 3));
    assertThat(job.task().type()).isEqualTo("align");
    assertThat(job.files()).singleElement().satisfies(f -> assertThat(f.sizeBytes()).isEqualTo(7));
  }

  @Test
  void writesWhatItReads() throws InvalidJobException {
    String json =
        "{\"id\":\"x\",\"tag\":\"t\",\"command\":[\"sh\",\"-c\",\"é\"],\"environment\":{\"A\":\"1\","
            + "\"B\":\"2\"},\"files\":[{\"type\":\"INPUT\",\"serv_path\":\"/i\",\"task_path\":\"i\"},"
            + "{\"type\":\"OUTPUT\",\"serv_path\":\"/o\",\"task_path\":\"o\",\"size\":1,\"hint\":"
            + "\"pipeline\",\"intermediate\":true}],\"cores\":3,\"memory-mb\":10,\"runtime-seconds\":2.5,\"priority\":1,"
            + "\"attempts\":2}";

    assertThat(JobCodec.write(JobCodec.read(json, ""))).isEqualTo(json);
    String least = "{\"id\":\"x\",\"command\":[\"true\"],\"files\":[]}";
    assertThat(JobCodec.write(JobCodec.read(least, ""))).isEqualTo(least);
  }

  @Test
  void copyAppliesToInputsOnly() throws InvalidJobException {
    String files =
        "{\"id\":\"x\",\"command\":[\"true\"],\"files\":["
            + "{\"type\":\"INPUT\",\"serv_path\":\"/i\",\"task_path\":\"i\",\"binding\":\"COPY\"},"
            + "{\"type\":\"INPUT\",\"serv_path\":\"/j\",\"task_path\":\"j\"},"
            + "{\"type\":\"OUTPUT\",\"serv_path\":\"/o\",\"task_path\":\"o\"}]}";

    Job job = JobCodec.read(files, "");

    assertThat(job.inputs())
        .containsExactly(new JobFile("/i", "i").asCopy(), new JobFile("/j", "j"));
    assertThat(job.inputs().get(0)).isNotEqualTo(new JobFile("/i", "i"));
    assertThat(JobCodec.write(job)).isEqualTo(files);
    assertThat(JobCodec.read(files.replace("\"o\"}", "\"o\",\"binding\":\"copy\"}"), ""))
        .isEqualTo(job);
    assertThat(JobCodec.read(files.replace("\"j\"}", "\"j\",\"binding\":\"link\"}"), ""))
        .isEqualTo(job);
  }

  @Test
  void patternsOfOutputsHaveADirectory() throws InvalidJobException {
    String json =
        "{\"id\":\"x\",\"command\":[\"true\"],\"files\":["
            + "{\"type\":\"OUTPUT\",\"serv_path\":\"/o/x\",\"task_path\":\"x\"},"
            + "{\"type\":\"OUTPUT\",\"serv_path\":\"/o\",\"task_path\":\"*.txt\",\"glob\":true}]}";

    Job job = JobCodec.read(json, "");

    assertThat(job.outputs()).containsExactly(new JobFile("/o/x", "x"));
    assertThat(job.globs()).containsExactly(new JobFile("/o", "*.txt"));
    assertThat(JobCodec.write(job)).isEqualTo(json);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"command":["a"],"files":[{"type":"INPUT","serv_path":"/o","task_path":"*","glob":true}]}  | is a pattern: list the files
          {"command":["a"],"files":[{"type":"OUTPUT","serv_path":"/o","task_path":"{*","glob":true}]} | {*
          {"command":["a"],"files":[{"type":"OUTPUT","serv_path":"/o","task_path":"*","glob":1}]} | 'glob' is not true or false
          {"command":["a"],"files":[{"type":"OUTPUT","serv_path":"/o","task_path":"*","glob":true,"hint":"pipeline"}]} | has a hint: set one for its directory
          {"command":["a"],"files":[{"type":"OUTPUT","serv_path":"/o","task_path":"*","glob":true},{"type":"OUTPUT","serv_path":"/p","task_path":"?","glob":true}]} | give them one directory
          {"command":["a"],"files":[{"type":"OUTPUT","serv_path":"/o","task_path":"*","glob":true},{"type":"OUTPUT","serv_path":"/p","task_path":"p","intermediate":true}]} | the intermediate output /p: leave out 'intermediate'
          {"command":["a"],"max_wait":5}                       | 'max_wait', which is not honoured
          {"command":["a"],"environment":{"A":1}}              | environment.A' is not a string
          {"command":["a"],"executable":"/a"}                  | write one of both
          {"executable":"/bin/sh","arguments":["bash"]}        | do not begin with the name of its executable, 'sh'
          {"executable":"/bin/sh"}                             | lacks the field 'arguments'
          {"arguments":["sh"]}                                 | lacks the field 'executable'
          {"command":[]}                                       | has no program
          {"command":["weir:fetch","http://h/f"]}              | must have one output
          {"command":"a"}                                      | 'command' is not an array
          {"command":["a"],"id":"../x"}                        | Job id '../x' is none
          {"command":["a"],"attempts":0}                       | attempts is 0
          {"command":["a"],"attempts":1000000000}              | attempts is 1000000000: give 1 to 100
          {"command":["a"],"memory-mb":1000000000000000000}    | memory-mb is 1000000000000000000: give 0 (not known) to 8796093022207
          {"command":["a"],"memory-mb":-1}                     | memory-mb is -1: give 0
          {"command":["a"],"containers":0}                     | A task cannot have 0 containers: give 1 to 64
          {"command":["a"],"containers":65}                    | A task cannot have 65 containers: give 1 to 64
          {"command":["a"],"containers":"2"}                   | 'containers' is not a whole number
          {"command":["a"],"environment":{"A=B":"1"}}          | variable called 'A=B': write a name
          {"command":["a"],"environment":{"":"1"}}             | variable called ''
          {"command":["a"],"environment":{"A":"x\\u0000"}}     | variable 'A' that contains the character NUL
          {"command":["a"],"environment":{"A\\u0000":"x"}}     | variable that contains the character NUL
          {"command":["a","x\\u0000y"]}                        | a command that contains the character NUL
          {"command":["a"],"environment":{"A":"x\\ud83d"}}     | variable 'A' that contains an unpaired surrogate, \\ud83d
          {"command":["a"],"environment":{"\\ud83d":"x"}}      | variable that contains an unpaired surrogate, \\ud83d
          {"command":["a","x\\ud83dy"]}                        | a command that contains an unpaired surrogate, \\ud83d
          {"command":["a"],"tag":"\\udc00"}                    | a tag that contains an unpaired surrogate, \\udc00
          {"command":["a"],"cores":1,"cores":2}                | Duplicate field 'cores'
          {"command":["a"],"environment":{"A":"1","A":"2"}}    | Duplicate field 'A'
          {"command":["a"],"cores":"2"}                        | 'cores' is not a whole number
          {"command":["a"],"priority":9999999999}              | whole number of up to
          {"command":["a"]} x                                  | is not valid JSON
          [1]                                                  | is ARRAY
          {"command":["a"],"files":[{"type":"IN","serv_path":"/x","task_path":"x"}]} | type is 'IN'
          {"command":["a"],"files":[{"type":"INPUT","serv_path":"x","task_path":"x"}]} | 'x' is no path
          {"command":["a"],"files":[{"type":"INPUT","serv_path":"/a/../x","task_path":"x"}]} | leaves the data directory
          {"command":["a"],"files":[{"type":"INPUT","serv_path":"/x","task_path":"/x"}]} | no name for a file
          {"command":["a"],"files":[{"type":"INPUT","serv_path":"/x","task_path":"x","binding":"MOVE"}]} | binding 'MOVE', which is not honoured here: write LINK or COPY
          {"command":["a"],"files":[{"type":"INPUT","serv_path":"http://h/x","task_path":"x","binding":"URL"}]} | file http://h/x has the binding 'URL'
          {"command":["a"],"files":[{"type":"OUTPUT","serv_path":"/x","task_path":"x","binding":"URL"}]} | is fetched by the command itself
          {"command":["a"],"files":[{"type":"INPUT","serv_path":"/x","task_path":"x","hint":"pipeline"}]} | has a hint
          {"command":["a"],"files":[{"type":"INPUT","serv_path":"/x","task_path":"x","intermediate":true}]} | is called intermediate
          {"command":["a"],"files":[{"type":"OUTPUT","serv_path":"/x","task_path":"x","intermediate":1}]} | not true or false
          {"command":["a"],"files":[{"type":"OUTPUT","serv_path":"/x","task_path":"x","hint":"nonsense"}]} | nonsense
          {"command":["a"],"files":[{"type":"OUTPUT","serv_path":"/x","task_path":"x","mode":1}]} | files[0] has the field 'mode'
          {"command":["a"],"files":[{"type":"OUTPUT","serv_path":"/x","task_path":"x"},{"type":"OUTPUT","serv_path":"/x","task_path":"y"}]} | twice
          {"command":["a"],"files":[{"type":"INPUT","serv_path":"/x","task_path":"x"},{"type":"OUTPUT","serv_path":"/x","task_path":"y"}]} | both reads and writes /x
          """)
  void refusesUnsupportedFieldsWithTheirPlace(String json, String message) {
    assertThatThrownBy(() -> JobCodec.read(json, "id"))
        .isInstanceOf(InvalidJobException.class)
        .hasMessageContaining(message);
  }

  @Test
  void statusRoundTrips() throws InvalidJobException {
    JobStatus ended =
        new JobStatus(
            "a",
            "t",
            JobState.FAILED,
            2,
            new JobStatus.Result(3, "n1", "the command exited with 3", "oh\nno"),
            new JobStatus.Times(1, 2, 3, 4),
            new JobStatus.Traffic(5, 6, 7),
            8);
    assertThat(StatusCodec.readJob(StatusCodec.write(ended))).isEqualTo(ended);

    JobStatus queued =
        new JobStatus(
            "b",
            "t",
            JobState.QUEUED,
            0,
            JobStatus.Result.NONE,
            new JobStatus.Times(1, 0, 0, 0),
            JobStatus.Traffic.NONE,
            0);
    EndedJobs both = new EndedJobs(List.of(ended, queued), 8);
    assertThat(StatusCodec.readJobs(StatusCodec.write(both))).isEqualTo(both);

    SessionStatus session =
        new SessionStatus(
            "id", "name", 1, 2, 3, 4, 5, 6, 7, new SessionStatus.Offer("weir", 8, 9, 10));
    assertThat(StatusCodec.readSession(StatusCodec.write(session))).isEqualTo(session);
  }

  @Test
  void runsOfASessionRoundTrip() throws Exception {
    assertThat(StatusCodec.submission("application_1_0002"))
        .isEqualTo("{\"id\":\"application_1_0002\"}");
    assertThat(StatusCodec.readSubmission("{\"id\":\"application_1_0002\"}"))
        .isEqualTo("application_1_0002");
    assertThatThrownBy(() -> StatusCodec.readSubmission("{\"id\":\"a\",\"queue\":\"q\"}"))
        .hasMessageContaining("has the field 'queue', which is not honoured here");

    RunStatus run = new RunStatus("a", RunState.CANCELLED);
    assertThat(StatusCodec.writeState(run)).isEqualTo("{\"id\":\"a\",\"state\":\"CANCELLED\"}");
    assertThat(StatusCodec.readRun(StatusCodec.writeState(run))).isEqualTo(run);
    assertThatThrownBy(() -> StatusCodec.readRun("{\"id\":\"a\",\"state\":\"LOST\"}"))
        .hasMessage("A run has the state 'LOST', which is unknown");

    RunStatus live = new RunStatus("b", RunState.RUNNING, 3, 2);
    assertThat(StatusCodec.writeRuns(List.of(live)))
        .isEqualTo("{\"runs\":[{\"id\":\"b\",\"state\":\"RUNNING\",\"tasks\":3,\"done\":2}]}");
  }

  @Test
  void reasonOfARefusalIsReadFromAnyAnswer() {
    assertThat(StatusCodec.readError(StatusCodec.error("no \"x\""))).isEqualTo("no \"x\"");
    assertThat(StatusCodec.readError("<html>")).isEqualTo("<html>");
  }
}
