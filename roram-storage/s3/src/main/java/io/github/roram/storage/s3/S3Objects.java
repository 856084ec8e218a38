package io.github.roram.storage.s3;

import io.github.roram.object.NoSuchObjectException;
import io.github.roram.object.ObjectSpace;
import io.github.roram.object.ObjectTraits;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.objects.ObjectPlace;
import io.github.roram.storage.objects.Patience;
import io.github.roram.store.PrintableText;
import io.github.roram.threads.IoCall;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.core.exception.NonRetryableException;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Error;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Objects in a bucket. The SDK may repeat writes of objects that are overwritten. It may not repeat
 * the creation of an object: if the answer that reported success was lost, the SDK would report
 * that the object existed already. A 412 is resolved by reading the object.
 *
 * <p>Thread safety: safe.
 */
final class S3Objects implements ObjectSpace {

  /**
   * What Amazon charges for S3 Standard, by its list for us-east-1. Traffic out of its region costs
   * more.
   */
  private static final ObjectTraits.Prices STANDARD =
      new ObjectTraits.Prices(0.40, 5, 0, 0, 0, 0.023);

  private static final int WHOLE_BYTES = 16 << 20;
  private static final int PART_BYTES = 8 << 20;
  private static final int NAMES_AT_ONCE = 1000;

  private static final int NOT_FOUND = 404;
  private static final int TAKEN = 412;
  private static final int BEYOND_THE_END = 416;
  private static final String NO_SUCH_KEY = "NoSuchKey";

  private final ObjectPlace place;
  private final S3Clients clients;
  private final Patience patience;
  private final ObjectTraits traits;
  private volatile boolean closed;

  /**
   * Objects of a place. Connects to no bucket yet.
   *
   * @throws io.github.roram.ConfigurationException if an option cannot be, or there are no
   *     credentials
   */
  static S3Objects open(ObjectPlace place, StoreOptions options) {
    return new S3Objects(
        place,
        S3Clients.of(options),
        new Patience(S3Options.retry(options), S3Clients::mayPass),
        traits(options));
  }

  private S3Objects(ObjectPlace place, S3Clients clients, Patience patience, ObjectTraits traits) {
    this.place = place;
    this.clients = clients;
    this.patience = patience;
    this.traits = traits;
  }

  static ObjectTraits traits(StoreOptions options) {
    ObjectTraits.Prices prices =
        S3Options.endpoint(options).isPresent() ? ObjectTraits.Prices.NONE : STANDARD;
    return new ObjectTraits(1, S3Options.connections(options), true, prices);
  }

  @Override
  public void put(String name, ByteBuffer bytes) throws IOException {
    ObjectSpace.checkBytes(name, bytes, OBJECT_BYTES);
    ask(
        "write",
        name,
        () -> {
          if (bytes.remaining() > WHOLE_BYTES) {
            putParts(name, bytes);
          } else {
            clients
                .data()
                .putObject(r -> r.bucket(place.container()).key(place.key(name)), body(bytes));
          }
          return true;
        });
  }

  /**
   * Puts an object in parts. An unfinished upload is aborted: nobody would see it, but its owner
   * would pay for it.
   */
  private void putParts(String name, ByteBuffer bytes) {
    String key = place.key(name);
    S3Client data = clients.data();
    String id = data.createMultipartUpload(r -> r.bucket(place.container()).key(key)).uploadId();
    try {
      List<CompletedPart> parts = new ArrayList<>();
      for (int from = 0; from < bytes.remaining(); from += PART_BYTES) {
        ByteBuffer part =
            bytes.slice(bytes.position() + from, Math.min(PART_BYTES, bytes.remaining() - from));
        int number = parts.size() + 1;
        String tag =
            data.uploadPart(
                    r -> r.bucket(place.container()).key(key).uploadId(id).partNumber(number),
                    body(part))
                .eTag();
        parts.add(CompletedPart.builder().partNumber(number).eTag(tag).build());
      }
      data.completeMultipartUpload(
          r ->
              r.bucket(place.container())
                  .key(key)
                  .uploadId(id)
                  .multipartUpload(upload -> upload.parts(parts)));
    } catch (SdkException e) {
      abort(key, id, e);
      throw e;
    }
  }

  /** Aborts an upload, even on an interrupted thread, whose requests the SDK would cancel. */
  private void abort(String key, String id, SdkException because) {
    boolean interrupted = Thread.interrupted();
    try {
      clients.data().abortMultipartUpload(r -> r.bucket(place.container()).key(key).uploadId(id));
    } catch (SdkException e) {
      because.addSuppressed(e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Reads a buffer anew for each attempt, and copies it only if its bytes are not on the heap. */
  private static RequestBody body(ByteBuffer bytes) {
    ByteBuffer all = bytes.slice();
    byte[] array = new byte[all.hasArray() ? 0 : all.remaining()];
    if (!all.hasArray()) {
      all.duplicate().get(array);
    }
    return RequestBody.fromContentProvider(
        () ->
            all.hasArray()
                ? new ByteArrayInputStream(all.array(), all.arrayOffset(), all.remaining())
                : new ByteArrayInputStream(array),
        all.remaining(),
        "application/octet-stream");
  }

  @Override
  public boolean createOnce(String name, ByteBuffer bytes) throws IOException {
    ObjectSpace.checkBytes(name, bytes, CREATE_BYTES);
    return ask(
        "create",
        name,
        () -> {
          try {
            clients
                .slots()
                .putObject(
                    r -> r.bucket(place.container()).key(place.key(name)).ifNoneMatch("*"),
                    body(bytes));
            return true;
          } catch (S3Exception e) {
            if (e.statusCode() != TAKEN) {
              throw e;
            }
            return isThere(name, bytes);
          }
        });
  }

  private boolean isThere(String name, ByteBuffer bytes) throws IOException {
    // One more, to see whether the object is longer.
    ByteBuffer there = ByteBuffer.allocate(bytes.remaining() + 1);
    readOnce(name, 0, there);
    return there.flip().equals(bytes.slice());
  }

  @Override
  public int read(String name, long offset, ByteBuffer to) throws IOException {
    ObjectSpace.checkName(name);
    if (offset < 0) {
      throw new IllegalArgumentException("offset is " + offset + ", must not be negative");
    }
    return ask("read", name, () -> readOnce(name, offset, to));
  }

  /**
   * Reads once. An empty range cannot be requested, so one byte is requested instead, and dropped.
   */
  private int readOnce(String name, long offset, ByteBuffer to) throws IOException {
    boolean empty = !to.hasRemaining();
    ByteBuffer target = empty ? ByteBuffer.allocate(1) : to;
    long last = offset + target.remaining() - 1;
    try {
      int read =
          clients
              .data()
              .getObject(
                  r ->
                      r.bucket(place.container())
                          .key(place.key(name))
                          .range("bytes=" + offset + "-" + last),
                  (answer, stream) -> receive(answer, stream, offset, target.slice()));
      if (empty) {
        return 0;
      }
      to.position(to.position() + read);
      return read;
    } catch (S3Exception e) {
      if (e.statusCode() == BEYOND_THE_END) {
        return 0;
      }
      if (e.statusCode() == NOT_FOUND && isOf(e, NO_SUCH_KEY)) {
        throw new NoSuchObjectException(name);
      }
      throw e;
    }
  }

  private static boolean isOf(S3Exception e, String code) {
    return e.awsErrorDetails() != null && code.equals(e.awsErrorDetails().errorCode());
  }

  private static int receive(
      GetObjectResponse answer, InputStream stream, long offset, ByteBuffer to) {
    String range = answer.contentRange();
    if (offset != 0 && (range == null || !range.startsWith("bytes " + offset + "-"))) {
      throw NonRetryableException.create(
          "asked for bytes from "
              + offset
              + " on, the server sent "
              + (range == null ? "all" : range)
              + ": it reads no ranges, so use another");
    }
    byte[] array = to.hasArray() ? to.array() : new byte[to.remaining()];
    int start = to.hasArray() ? to.arrayOffset() : 0;
    int read = receive(answer, stream, array, start, to.remaining());
    if (!to.hasArray()) {
      to.put(array, 0, read);
    }
    return read;
  }

  /** Receives an answer. A broken connection is worth another attempt. */
  private static int receive(
      GetObjectResponse answer, InputStream stream, byte[] array, int start, int most) {
    Long length = answer.contentLength();
    if (length == null) {
      throw NonRetryableException.create(
          "the server does not say how long its answer is: use another", null);
    }
    try {
      int read = stream.readNBytes(array, start, most);
      if (read < Math.min(length, most)) {
        throw new EOFException("the answer ended after " + read + " bytes");
      }
      return read;
    } catch (IOException e) {
      throw RetryableException.create("the answer broke off", e);
    }
  }

  @Override
  public List<String> list(String prefix, String after) throws IOException {
    return ask("list", prefix, () -> listOnce(place.key(prefix), after));
  }

  /** Lists once more if an answer has no names but is not the last: its keys were all deleted. */
  private List<String> listOnce(String prefix, String after) {
    ListObjectsV2Request.Builder request =
        ListObjectsV2Request.builder()
            .bucket(place.container())
            .prefix(prefix)
            .maxKeys(NAMES_AT_ONCE);
    if (!after.isEmpty()) {
      request.startAfter(place.key(after));
    }
    ListObjectsV2Response answer;
    do {
      answer = clients.data().listObjectsV2(request.build());
      request.continuationToken(answer.nextContinuationToken());
    } while (answer.contents().isEmpty() && answer.nextContinuationToken() != null);
    return answer.contents().stream().map(S3Object::key).map(place::name).toList();
  }

  @Override
  public void delete(Collection<String> names) throws IOException {
    List<String> all = new ArrayList<>(names);
    for (int from = 0; from < all.size(); from += NAMES_AT_ONCE) {
      List<String> some = all.subList(from, Math.min(all.size(), from + NAMES_AT_ONCE));
      ask("delete", some.get(0), () -> deleteAtOnce(some));
    }
    checkOpen();
  }

  private boolean deleteAtOnce(List<String> names) throws IOException {
    List<ObjectIdentifier> keys =
        names.stream()
            .map(name -> ObjectIdentifier.builder().key(place.key(name)).build())
            .toList();
    DeleteObjectsResponse answer =
        clients
            .data()
            .deleteObjects(
                r -> r.bucket(place.container()).delete(d -> d.quiet(true).objects(keys)));
    checkDeleted(answer.errors(), names.size());
    return true;
  }

  /**
   * Refuses an answer that says of some objects that they are there.
   *
   * @throws RetryableException if that may pass for each of them
   * @throws IOException if it would be said again of one
   */
  private void checkDeleted(List<S3Error> errors, int names) throws IOException {
    if (errors.isEmpty()) {
      return;
    }
    Optional<S3Error> lasting =
        errors.stream().filter(error -> !S3Clients.mayPass(error)).findFirst();
    S3Error shown = lasting.orElse(errors.get(0));
    String message =
        PrintableText.of(
            "did not delete %d of %d objects: %s, %s"
                .formatted(errors.size(), names, shown.code(), shown.message()));
    if (lasting.isPresent()) {
      throw new IOException(place + " " + message);
    }
    throw RetryableException.create("the server " + message);
  }

  private <T> T ask(String what, String name, IoCall<T> request) throws IOException {
    checkOpen();
    try {
      return patience.send(request);
    } catch (SdkException e) {
      if (closed) {
        throw new ClosedChannelException();
      }
      throw failed(what, name, e);
    } catch (IllegalStateException e) {
      // The SDK says so of a request that was made while its client was closed.
      if (closed) {
        throw new ClosedChannelException();
      }
      throw e;
    }
  }

  private IOException failed(String what, String name, SdkException e) {
    if (e instanceof NoSuchBucketException) {
      return new IOException(
          place + ": there is no bucket " + place.container() + ": create it, or name another", e);
    }
    return new IOException(
        place + " could not " + what + " " + name + ": " + PrintableText.of(e.getMessage()), e);
  }

  private void checkOpen() throws ClosedChannelException {
    if (closed) {
      throw new ClosedChannelException();
    }
  }

  @Override
  public ObjectTraits traits() {
    return traits;
  }

  @Override
  public void close() {
    closed = true;
    clients.close();
  }

  @Override
  public String toString() {
    return place.toString();
  }
}
