package io.github.roram.storage.remote.protocol;

import io.github.roram.storage.remote.protocol.Message.VolumeName;
import io.github.roram.storage.remote.protocol.Message.Welcome;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Some of the volumes that a client may use, in the order of their names. The client asks with the
 * name ({@link VolumeName}) after which the page is to begin, at first an empty one.
 *
 * <pre>
 *  u8 more | u16 n | n × ( text name | u64 capacity bytes | u8 in use | text creator )
 * </pre>
 *
 * @param volumes those of the page; names ascend
 * @param more whether others come after them
 */
public record VolumePage(List<Listed> volumes, boolean more) {

  private static final int HEAD_BYTES = 3;

  /** Longest name of a creator, in bytes. */
  private static final int MAX_CREATOR_BYTES = 128;

  /**
   * A volume of the page.
   *
   * @param name of the volume
   * @param capacityBytes size of its address space; 0 if the server does not know, since an older
   *     one made it
   * @param inUse whether a client is connected to it
   * @param creator identity that made it; empty if that is not known
   */
  public record Listed(String name, long capacityBytes, boolean inUse, String creator) {

    private static final int FIXED_BYTES = 2 * Short.BYTES + Long.BYTES + 1;

    private int bytes() {
      return FIXED_BYTES
          + name.length()
          + Math.min(MAX_CREATOR_BYTES, creator.getBytes(StandardCharsets.UTF_8).length);
    }
  }

  /** Copies the list. */
  public VolumePage {
    volumes = List.copyOf(volumes);
  }

  /** Returns as many volumes as fit the shortest payload that both sides must accept. */
  public static VolumePage firstOf(Iterator<Listed> all) {
    List<Listed> page = new ArrayList<>();
    int bytes = HEAD_BYTES;
    while (all.hasNext()) {
      Listed next = all.next();
      bytes += next.bytes();
      if (bytes > Welcome.MIN_PAYLOAD_BYTES) {
        return new VolumePage(page, true);
      }
      page.add(next);
    }
    return new VolumePage(page, false);
  }

  /** Appends the payload. */
  public void encode(ByteBuf out) {
    out.writeByte(more ? 1 : 0).writeShort(volumes.size());
    for (Listed volume : volumes) {
      Text.write(out, volume.name(), VolumeName.MAX_NAME_BYTES);
      out.writeLong(volume.capacityBytes()).writeByte(volume.inUse() ? 1 : 0);
      Text.write(out, volume.creator(), MAX_CREATOR_BYTES);
    }
  }

  /**
   * Takes the payload of an answer.
   *
   * @param after the name that was asked with
   * @throws ProtocolException also if names do not ascend from there, or nothing comes where more
   *     is to
   */
  public static VolumePage decode(ByteBuf in, String after) throws ProtocolException {
    Text.require(in, HEAD_BYTES);
    boolean more = in.readByte() != 0;
    int count = in.readUnsignedShort();
    List<Listed> volumes = new ArrayList<>();
    String last = after;
    for (int i = 0; i < count; i++) {
      String name = Text.read(in, VolumeName.MAX_NAME_BYTES);
      if (!VolumeName.isValid(name) || name.compareTo(last) <= 0) {
        throw new ProtocolException("volume \"" + name + "\" is listed after \"" + last + "\"");
      }
      last = name;
      Text.require(in, Long.BYTES + 1);
      volumes.add(
          new Listed(name, in.readLong(), in.readByte() != 0, Text.read(in, MAX_CREATOR_BYTES)));
    }
    Text.requireEnd(in);
    if (more && volumes.isEmpty()) {
      throw new ProtocolException("a page without volumes, and more to come");
    }
    return new VolumePage(volumes, more);
  }
}
