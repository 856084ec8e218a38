package io.github.roram.auditor.workload;

import io.github.roram.nbd.BlockDevice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** A device that hands everything on. */
class FilterDevice implements BlockDevice {

  final BlockDevice device;

  FilterDevice(BlockDevice device) {
    this.device = device;
  }

  @Override
  public long bytes() {
    return device.bytes();
  }

  @Override
  public int blockBytes() {
    return device.blockBytes();
  }

  @Override
  public int longestBytes() {
    return device.longestBytes();
  }

  @Override
  public CompletableFuture<Void> read(long offset, ByteBuffer target) {
    return device.read(offset, target);
  }

  @Override
  public CompletableFuture<Void> write(long offset, ByteBuffer source, boolean durable) {
    return device.write(offset, source, durable);
  }

  @Override
  public CompletableFuture<Void> zero(long offset, long length, boolean durable) {
    return device.zero(offset, length, durable);
  }

  @Override
  public CompletableFuture<Void> trim(long offset, long length, boolean durable) {
    return device.trim(offset, length, durable);
  }

  @Override
  public CompletableFuture<Void> flush() {
    return device.flush();
  }

  @Override
  public void close() throws IOException {
    device.close();
  }
}
