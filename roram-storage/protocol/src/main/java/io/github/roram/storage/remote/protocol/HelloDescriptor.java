package io.github.roram.storage.remote.protocol;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * What a client says first.
 *
 * <pre>
 *  u16 oldest version | u16 newest version | u32 max payload bytes of a frame | u16 n | n bytes token
 * </pre>
 *
 * @param oldestVersion oldest version that the client speaks
 * @param newestVersion newest version that the client speaks
 * @param maxPayloadBytes longest payload that the client takes
 * @param token what proves who it is, where certificates do not; may be empty
 */
@SuppressWarnings("ArrayRecordComponent") // equals and hashCode know
public record HelloDescriptor(
    int oldestVersion, int newestVersion, int maxPayloadBytes, byte[] token) {

  /** Longest token in bytes. */
  public static final int MAX_TOKEN_BYTES = 1024;

  /** Appends the payload. */
  public void encode(ByteBuf out) {
    out.writeShort(oldestVersion).writeShort(newestVersion).writeInt(maxPayloadBytes);
    out.writeShort(token.length).writeBytes(token);
  }

  /** Takes the payload. */
  public static HelloDescriptor decode(ByteBuf in) throws ProtocolException {
    Text.require(in, 10);
    int oldest = in.readUnsignedShort();
    int newest = in.readUnsignedShort();
    int maxPayload = in.readInt();
    int tokenBytes = in.readUnsignedShort();
    if (tokenBytes > MAX_TOKEN_BYTES) {
      throw new ProtocolException(
          "token of " + tokenBytes + " bytes, at most " + MAX_TOKEN_BYTES + " are allowed");
    }
    Text.require(in, tokenBytes);
    byte[] token = new byte[tokenBytes];
    in.readBytes(token);
    Text.requireEnd(in);
    return new HelloDescriptor(oldest, newest, maxPayload, token);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HelloDescriptor that
        && oldestVersion == that.oldestVersion
        && newestVersion == that.newestVersion
        && maxPayloadBytes == that.maxPayloadBytes
        && Arrays.equals(token, that.token);
  }

  @Override
  public int hashCode() {
    return newestVersion;
  }

  /** Without the token. */
  @Override
  public String toString() {
    return "hello of versions " + oldestVersion + " to " + newestVersion;
  }
}
