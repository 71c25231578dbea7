package dev.weir.workflow.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchTest {

  private static Batch read(ByteArrayOutputStream bytes) throws IOException {
    return Batch.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
  }

  @Test
  void batchesRoundTrip() throws IOException {
    Batch batch =
        new Batch(
            7,
            List.of(
                new Batch.Item(1, ByteString.EMPTY),
                new Batch.Item(2, ByteString.copyFromUtf8("second"))));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    batch.write(new DataOutputStream(bytes));

    assertThat(read(bytes)).isEqualTo(batch);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 2, Integer.MAX_VALUE})
  void wrongLengthAllocatesNoMemory(int length) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeLong(0);
    out.writeInt(1);
    out.writeLong(0);
    out.writeInt(length);
    out.write(1);

    assertThatIOException().isThrownBy(() -> read(bytes)).withMessageContaining("claims");
  }
}
