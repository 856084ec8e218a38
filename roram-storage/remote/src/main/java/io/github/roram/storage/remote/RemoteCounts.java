package io.github.roram.storage.remote;

/**
 * What a remote store has asked of its server so far.
 *
 * @param roundTrips requests that waited for an answer once, retries included; connecting is not
 *     counted
 * @param connections how often it connected
 * @param bytesRead bytes of units read
 * @param bytesWritten bytes of units written
 */
public record RemoteCounts(long roundTrips, long connections, long bytesRead, long bytesWritten) {}
