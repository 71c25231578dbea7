package dev.weir.nextflow;

import static java.util.Objects.requireNonNull;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.Map;
import nextflow.util.SerializerRegistrant;

/** Stores paths in the cache of Nextflow, for {@code -resume}. */
public final class HdfsPathSerializer extends Serializer<HdfsPath> implements SerializerRegistrant {

  /** Called by Nextflow. */
  public HdfsPathSerializer() {}

  @Override
  public void write(Kryo kryo, Output output, HdfsPath path) {
    output.writeString(HdfsPathFactory.uri(path));
  }

  @Override
  public HdfsPath read(Kryo kryo, Input input, Class<HdfsPath> type) {
    return requireNonNull(HdfsPathFactory.hdfsPath(input.readString()));
  }

  @Override
  @SuppressWarnings("rawtypes") // As Nextflow declares it.
  public void register(Map<Class, Object> serializers) {
    serializers.put(HdfsPath.class, HdfsPathSerializer.class);
  }
}
