package io.github.roram.storage.view;

import io.github.roram.object.FilterObjectSpace;
import io.github.roram.object.ObjectSpace;
import io.github.roram.object.ObjectTraits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Objects whose owner is an observer: names, places and lengths are recorded. Random parts of names
 * are replaced by numbers in the order of their first use. The thread that needs an object makes
 * one request at a time, so that the order of the sights is that of the requests.
 *
 * <p>Requests are recorded when they are made, whether or not they succeed. Thread safety: as safe
 * as the delegate.
 */
public final class RecordedObjects extends FilterObjectSpace {

  private static final Pattern RANDOM_NAME =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private final Observer observer;
  private final ViewRecorder recorder;
  private final List<String> random = new ArrayList<>();

  /**
   * Records the requests to {@code delegate}.
   *
   * @param observer {@link Observer#BACKUP} or {@link Observer#ENGINE}
   */
  public RecordedObjects(ObjectSpace delegate, Observer observer, ViewRecorder recorder) {
    super(delegate);
    this.observer = observer;
    this.recorder = recorder;
  }

  private void see(Action action, String name, long offset, long bytes) {
    recorder.object(observer, action, known(name), offset, bytes);
  }

  private synchronized String known(String name) {
    return RANDOM_NAME
        .matcher(name)
        .replaceAll(
            found -> {
              if (!random.contains(found.group())) {
                random.add(found.group());
              }
              return "random" + random.indexOf(found.group());
            });
  }

  @Override
  public void put(String name, ByteBuffer bytes) throws IOException {
    see(Action.SAVE, name, 0, bytes.remaining());
    delegate.put(name, bytes);
  }

  @Override
  public boolean createOnce(String name, ByteBuffer bytes) throws IOException {
    see(Action.SAVE, name, 0, bytes.remaining());
    return delegate.createOnce(name, bytes);
  }

  @Override
  public int read(String name, long offset, ByteBuffer to) throws IOException {
    see(Action.READ, name, offset, to.remaining());
    return delegate.read(name, offset, to);
  }

  @Override
  public List<String> list(String prefix, String after) throws IOException {
    // The name after which the listing continues depends on the order of random names.
    see(Action.READ, prefix, 0, 0);
    return delegate.list(prefix, after);
  }

  @Override
  public void delete(Collection<String> names) throws IOException {
    names.stream().map(this::known).sorted().forEach(name -> see(Action.DELETE, name, 0, 0));
    delegate.delete(names);
  }

  @Override
  public ObjectTraits traits() {
    ObjectTraits traits = delegate.traits();
    return new ObjectTraits(traits.readBytes(), 1, traits.survivesPowerFailure(), traits.prices());
  }
}
