package io.github.roram.storage.view;

/**
 * One event that an observer saw.
 *
 * <p>A view lists them in the order in which they ended. The client's checkpoints are made by a
 * thread alongside the accesses, so their place among the others varies from run to run, and with
 * it their {@code access}, though nothing secret does. In the vault such sights are marked: {@code
 * request} is 1. To compare runs, compare the marked ones for each name alone, in order, and the
 * others in one sequence. When a checkpoint began shows in step: it is the access of the first
 * unmarked {@link Action#APPEND} to a new journal.
 *
 * @param access logical time: the number of the access in progress, from 1; 0 before the first; for
 *     a {@link Action#SAVE} when it began
 * @param observer the observer that saw it
 * @param action what happened
 * @param request STORE: number of the request that an extent belongs to, from 1 in every run;
 *     NETWORK: number of the connection, from 1; VAULT, and for a watermark: 1 if another thread
 *     than that of the accesses did it, whose timing varies; ENGINE: number of the last request to
 *     the store; otherwise 0
 * @param name VAULT: name of the record or log; BACKUP, ENGINE: name of the object; otherwise empty
 * @param offset STORE: first byte of the extent; ENGINE: first byte read of the object; otherwise 0
 * @param bytes bytes read, written, saved, appended, sent or received
 */
public record Sight(
    long access,
    Observer observer,
    Action action,
    long request,
    String name,
    long offset,
    long bytes) {}
