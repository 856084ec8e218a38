package io.github.roram.storage.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import javax.cache.processor.MutableEntry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a node does with an entry that is damaged. */
final class EntryTest {

  /** An entry of a cache. */
  private static final class Held implements MutableEntry<String, byte[]> {
    private byte @Nullable [] value;

    Held(byte... value) {
      this.value = value;
    }

    @Override
    public boolean exists() {
      return value != null;
    }

    @Override
    public void remove() {
      value = null;
    }

    @Override
    public void setValue(byte[] newValue) {
      value = newValue;
    }

    @Override
    public String getKey() {
      return "key";
    }

    @Override
    public byte @Nullable [] getValue() {
      return value;
    }

    @Override
    public <T> T unwrap(Class<T> type) {
      throw new IllegalArgumentException(type.getName());
    }
  }

  /** A node that fails is asked again for a minute, and says nothing of what is wrong. */
  @Test
  void oneWithoutAByteIsNoAnswerAndCanBeDeleted() {
    Held empty = new Held();
    byte[] answer = Objects.requireNonNull(new Entry.ReadPart().process(empty, 0L, 10));
    assertThat(answer).isEmpty();
    assertThat(Entry.isAnswer(answer, 10)).isFalse();
    assertThat(new Entry.RemoveWhole().process(empty)).isNull();
    assertThat(empty.exists()).isFalse();
  }

  @Test
  void wholeOnesAreReadInPartAndRemoved() {
    Held whole = new Held(Entry.WHOLE, (byte) 5, (byte) 6, (byte) 7);
    assertThat(new Entry.ReadPart().process(whole, 1L, 1)).containsExactly(Entry.WHOLE, 6);
    assertThat(new Entry.ReadPart().process(whole, 9L, 1)).containsExactly(Entry.WHOLE);
    assertThat(new Entry.RemoveWhole().process(whole)).isNull();
    assertThat(whole.exists()).isFalse();
    Held pieces = new Held(Entry.pieces(Entry.PIECES, 1 << 21));
    assertThat(new Entry.RemoveWhole().process(pieces)).isEqualTo(pieces.getValue());
    assertThat(pieces.exists()).isTrue();
  }
}
