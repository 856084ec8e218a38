package io.github.roram.bucket;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Reads and writes the fields of a bucket's plaintext, in the caller's array. */
public final class PlainBucket {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private PlainBucket() {}

  /** Returns the address in a slot, or {@link BucketDescriptor#EMPTY} if the slot is empty. */
  public static int address(byte[] plain, int slot) {
    return (int) INT.get(plain, slot * BucketDescriptor.SLOT_HEADER_BYTES);
  }

  /** Returns the label of the block in a slot. */
  public static int label(byte[] plain, int slot) {
    return (int) INT.get(plain, slot * BucketDescriptor.SLOT_HEADER_BYTES + 4);
  }

  /** Sets the address and label of a slot. */
  public static void setSlot(byte[] plain, int slot, int address, int label) {
    INT.set(plain, slot * BucketDescriptor.SLOT_HEADER_BYTES, address);
    INT.set(plain, slot * BucketDescriptor.SLOT_HEADER_BYTES + 4, label);
  }

  /** Marks a slot as empty. */
  public static void setEmpty(byte[] plain, int slot) {
    setSlot(plain, slot, BucketDescriptor.EMPTY, 0);
  }

  /** Returns a link, at an offset in the plaintext. */
  public static long link(byte[] plain, int offset) {
    return (long) LONG.get(plain, offset);
  }

  /** Sets a link. */
  public static void setLink(byte[] plain, int offset, long value) {
    LONG.set(plain, offset, value);
  }

  /** Returns a big-endian int anywhere in an array, for packed labels. */
  public static int getInt(byte[] array, int offset) {
    return (int) INT.get(array, offset);
  }

  /** Sets a big-endian int anywhere in an array. */
  public static void setInt(byte[] array, int offset, int value) {
    INT.set(array, offset, value);
  }
}
