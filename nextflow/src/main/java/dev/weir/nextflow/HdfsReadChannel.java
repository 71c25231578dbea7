package dev.weir.nextflow;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import org.apache.hadoop.fs.FSDataInputStream;

final class HdfsReadChannel implements SeekableByteChannel {
  private final FSDataInputStream in;
  private final ReadableByteChannel channel;
  private final long size;

  HdfsReadChannel(FSDataInputStream in, long size) {
    this.in = in;
    this.channel = Channels.newChannel(in);
    this.size = size;
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    return channel.read(target);
  }

  @Override
  public int write(ByteBuffer source) {
    throw new NonWritableChannelException();
  }

  @Override
  public long position() throws IOException {
    return in.getPos();
  }

  @Override
  public SeekableByteChannel position(long position) throws IOException {
    in.seek(Math.min(position, size));
    return this;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public SeekableByteChannel truncate(long length) {
    throw new NonWritableChannelException();
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
