package io.github.roram.storage.remote;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.remote.protocol.ErrorDescriptor;
import io.github.roram.storage.remote.protocol.Frame;
import io.github.roram.storage.remote.protocol.FrameType;
import io.github.roram.storage.remote.protocol.ProtocolException;
import io.github.roram.store.StoreDamagedException;
import io.github.roram.store.StoreFullException;
import io.github.roram.store.StoreLockedException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;

/** From what a server answers to what a store's user expects. */
final class Answers {

  private Answers() {}

  /** Throws what an error stands for, or that the answer is of another type than expected. */
  static void expect(Frame answer, FrameType type, RemoteAddress address) throws IOException {
    if (answer.type() == FrameType.ERROR) {
      ErrorDescriptor error = ErrorDescriptor.decode(answer.payload());
      throw toException(error, address);
    }
    if (answer.type() != type) {
      throw new ProtocolException("answer is " + answer.type() + " instead of " + type);
    }
  }

  private static IOException toException(ErrorDescriptor error, RemoteAddress address) {
    String message = address + ": " + error.message();
    return switch (error.code()) {
      case IO -> new IOException(message);
      case FULL -> new StoreFullException(message, new IOException(error.message()));
      case DAMAGED -> new StoreDamagedException(message);
      case LOCKED -> new StoreLockedException(message);
      case NO_SUCH_VOLUME -> new NoSuchFileException(address.toString(), null, error.message());
      case VOLUME_EXISTS ->
          new FileAlreadyExistsException(address.toString(), null, error.message());
      case UNAUTHORISED -> new AccessDeniedException(address.toString(), null, error.message());
      case LEASE_LOST -> new LeaseLostException(message);
      case OUT_OF_BOUNDS -> throw new IndexOutOfBoundsException(message);
      case TOO_LARGE, INVALID -> throw new ConfigurationException(message);
      case BUSY, DRAINING, PROTOCOL -> new ConnectionLostException(message, null);
    };
  }
}
