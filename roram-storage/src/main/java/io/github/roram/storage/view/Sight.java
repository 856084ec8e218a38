package io.github.roram.storage.view;

/**
 * One thing that an observer saw.
 *
 * @param access logical time: the number of the access that was under way, from 1; 0 before the
 *     first
 * @param observer who saw it
 * @param action what was done
 * @param request STORE: number of the request that an extent belongs to, from 1 in every run;
 *     NETWORK: number of the connection; otherwise 0
 * @param name VAULT: name of the record or log; otherwise empty
 * @param offset STORE: first byte of the extent; otherwise 0
 * @param bytes length of what was read, written, saved, appended, sent or received
 */
public record Sight(
    long access,
    Observer observer,
    Action action,
    long request,
    String name,
    long offset,
    long bytes) {}
