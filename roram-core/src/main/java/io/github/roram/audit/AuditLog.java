package io.github.roram.audit;

import io.github.roram.VerifyProgress;
import io.github.roram.VerifyReport;
import io.github.roram.VerifyReport.Finding;
import io.github.roram.VerifyReport.Kind;
import io.github.roram.threads.IoTask;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;

/** Collects the findings and counters of an audit. Not thread safe. */
public final class AuditLog {

  private final VerifyProgress progress;
  private final long totalBytes;
  private final List<Finding> findings = new ArrayList<>();
  private long findingCount;
  private long buckets;
  private long bytes;
  private long doneBytes;

  /**
   * Creates an empty log.
   *
   * @param totalBytes number of bytes to check
   */
  public AuditLog(VerifyProgress progress, long totalBytes) {
    this.progress = progress;
    this.totalBytes = totalBytes;
  }

  /**
   * Reads buckets. A failure of the store is a finding, and the audit goes on.
   *
   * @param place description of what is read, for the finding
   * @param count number of buckets
   * @param readBytes bytes of the buckets
   * @throws ClosedChannelException if the store is closed
   */
  public void read(int tree, String place, long count, long readBytes, IoTask reading)
      throws IOException {
    try {
      reading.run();
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      found(
          Kind.UNREADABLE,
          tree,
          "tree " + tree + ", " + place + ": the store failed to read: " + e);
    }
    buckets += count;
    bytes += readBytes;
  }

  /** Reports progress by bytes that were read or are known to be empty. */
  public void advance(long moreBytes) {
    doneBytes += moreBytes;
    progress.advancedTo(doneBytes, totalBytes);
  }

  /** Adds a finding. */
  public void found(Kind kind, int tree, String message) {
    findingCount++;
    if (findings.size() < VerifyReport.MAX_FINDINGS) {
      findings.add(new Finding(kind, tree, message));
    }
  }

  /** Adds a finding about a block that is in the wrong place. */
  public void misplaced(int tree, int address, String what) {
    found(Kind.MISPLACED, tree, "block " + address + " in tree " + tree + ": " + what);
  }

  /** Returns the number of findings so far. */
  public long findingCount() {
    return findingCount;
  }

  /** Returns the report of an audit that met {@code blocks} blocks. */
  public VerifyReport report(long blocks) {
    return new VerifyReport(buckets, bytes, blocks, findingCount, findings);
  }
}
