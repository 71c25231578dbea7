package dev.weir.nextflow;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;

/** Files of HDFS are written from their beginning to their end. */
final class HdfsWriteChannel implements SeekableByteChannel {
  private final WritableByteChannel channel;
  private final OutputStream out;
  private long written;

  HdfsWriteChannel(WritableByteChannel channel, OutputStream out) {
    this.channel = channel;
    this.out = out;
  }

  @Override
  public int read(ByteBuffer target) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    int length = channel.write(source);
    written += length;
    return length;
  }

  @Override
  public long position() {
    return written;
  }

  @Override
  public SeekableByteChannel position(long position) {
    if (position != written) {
      throw new UnsupportedOperationException("Files in HDFS are written sequentially");
    }
    return this;
  }

  @Override
  public long size() {
    return written;
  }

  @Override
  public SeekableByteChannel truncate(long length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    channel.close();
    out.close();
  }
}
