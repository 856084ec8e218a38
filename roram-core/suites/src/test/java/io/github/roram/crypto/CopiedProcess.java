package io.github.roram.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.SecureRandomSpi;
import java.security.Security;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import javax.crypto.Cipher;
import javax.crypto.CipherSpi;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.NullUnmarked;

/**
 * Stands for a process that is copied while it runs, as a virtual machine's snapshot that is
 * resumed many times is: every copy does the same up to one moment, with the same random bytes, so
 * that its memory is the same then. What generators in user space give is the same for good; what
 * the system gives is each copy's own from that moment on. Writes down the key and the nonce of
 * whatever is sealed after it.
 */
@NullUnmarked // there is one as long as anybody asks
public final class CopiedProcess implements AutoCloseable {

  private static final String GCM = "AES/GCM/NoPadding";
  private static final Provider REAL = Security.getProvider("SunJCE");

  private static volatile CopiedProcess current;

  private final Provider provider = new Recording();
  private final SystemRandom.Source system;
  private final Set<ByteBuffer> sealed = new HashSet<>();

  /** Which copies sealed under a key, as a count: they come one after another. */
  private final Map<ByteBuffer, Integer> copiesOf = new HashMap<>();

  private final Map<ByteBuffer, Integer> lastCopyOf = new HashMap<>();
  private Random inUserSpace = new Random(0);
  private int copy;
  private boolean resumed;

  /** Before the first copy. */
  public CopiedProcess() {
    SystemRandom.fill(new byte[1]);
    system = SystemRandom.SYSTEM.source;
    current = this;
    Security.insertProviderAt(provider, 1);
  }

  /** A copy does what the process did. */
  public synchronized void begin() {
    copy++;
    resumed = false;
    inUserSpace = new Random(7);
    Random replayed = new Random(8);
    Thread copied = Thread.currentThread();
    SystemRandom.SYSTEM.source =
        target -> {
          // What other tests lost still beats, and takes its own.
          if (Thread.currentThread() == copied) {
            replayed.nextBytes(target);
          } else {
            system.fill(target);
          }
        };
  }

  /** The copy goes on by itself. */
  public synchronized void resume() {
    SystemRandom.SYSTEM.source = system;
    resumed = true;
  }

  /** How many keys have sealed in every copy. */
  public synchronized long keysOfAllCopies() {
    return copiesOf.values().stream().filter(copies -> copies == copy).count();
  }

  /** How many messages were sealed after the copies were made. */
  public synchronized int messages() {
    return sealed.size();
  }

  private synchronized void seals(Key key, AlgorithmParameterSpec parameters) {
    if (resumed && parameters instanceof GCMParameterSpec gcm) {
      ByteBuffer secret = ByteBuffer.wrap(key.getEncoded());
      byte[] both = Arrays.copyOf(secret.array(), secret.capacity() + gcm.getIV().length);
      System.arraycopy(gcm.getIV(), 0, both, secret.capacity(), gcm.getIV().length);
      assertThat(sealed.add(ByteBuffer.wrap(both))).as("a key and nonce seal once").isTrue();
      if (lastCopyOf.getOrDefault(secret, 0) != copy) {
        lastCopyOf.put(secret, copy);
        copiesOf.merge(secret, 1, Integer::sum);
      }
    }
  }

  @Override
  public void close() {
    Security.removeProvider(provider.getName());
    SystemRandom.SYSTEM.source = system;
  }

  private static final class Recording extends Provider {
    private static final long serialVersionUID = 1L;

    Recording() {
      super("roram-copied", "1", "what copies of a process have in common");
      put("SecureRandom.Copied", Generator.class.getName());
      put("Cipher." + GCM, Gcm.class.getName());
    }
  }

  /** The generator in user space. */
  public static final class Generator extends SecureRandomSpi {
    private static final long serialVersionUID = 1L;

    @Override
    protected void engineSetSeed(byte[] seed) {}

    @Override
    protected void engineNextBytes(byte[] bytes) {
      synchronized (current) {
        current.inUserSpace.nextBytes(bytes);
      }
    }

    @Override
    protected byte[] engineGenerateSeed(int count) {
      byte[] seed = new byte[count];
      engineNextBytes(seed);
      return seed;
    }
  }

  /** The JDK's cipher. */
  public static final class Gcm extends CipherSpi {

    private final Cipher real;

    /** As the JDK asks for one. */
    public Gcm() throws GeneralSecurityException {
      real = Cipher.getInstance(GCM, REAL);
    }

    @Override
    protected void engineInit(
        int mode, Key key, AlgorithmParameterSpec parameters, SecureRandom random) {
      if (mode == Cipher.ENCRYPT_MODE) {
        current.seals(key, parameters);
      }
      try {
        real.init(mode, key, parameters);
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    protected void engineUpdateAAD(byte[] bytes, int offset, int length) {
      real.updateAAD(bytes, offset, length);
    }

    @Override
    protected int engineDoFinal(
        byte[] input, int offset, int length, byte[] output, int outputOffset)
        throws javax.crypto.ShortBufferException,
            javax.crypto.IllegalBlockSizeException,
            javax.crypto.BadPaddingException {
      return real.doFinal(input, offset, length, output, outputOffset);
    }

    @Override
    protected byte[] engineDoFinal(byte[] input, int offset, int length)
        throws javax.crypto.IllegalBlockSizeException, javax.crypto.BadPaddingException {
      return real.doFinal(input, offset, length);
    }

    @Override
    protected void engineSetMode(String mode) {}

    @Override
    protected void engineSetPadding(String padding) {}

    @Override
    protected int engineGetBlockSize() {
      return real.getBlockSize();
    }

    @Override
    protected int engineGetOutputSize(int length) {
      return real.getOutputSize(length);
    }

    @Override
    protected byte[] engineGetIV() {
      return real.getIV();
    }

    @Override
    protected java.security.AlgorithmParameters engineGetParameters() {
      return real.getParameters();
    }

    @Override
    protected void engineInit(int mode, Key key, SecureRandom random) {
      throw new UnsupportedOperationException();
    }

    @Override
    protected void engineInit(
        int mode, Key key, java.security.AlgorithmParameters parameters, SecureRandom random) {
      throw new UnsupportedOperationException();
    }

    @Override
    protected byte[] engineUpdate(byte[] input, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    protected int engineUpdate(
        byte[] input, int offset, int length, byte[] output, int outputOffset) {
      throw new UnsupportedOperationException();
    }
  }
}
