package io.github.roram.netserver;

/**
 * Who is at the other end of a connection.
 *
 * @param name for access lists and logs
 */
public record ClientIdentity(String name) {}
