package io.github.roram.auditor.judge;

import java.util.List;

/**
 * What pictures of a pair are drawn from.
 *
 * @param pair its name
 * @param appendedA bytes appended to the vault's logs in each access of the first run, side A
 * @param appendedB side B
 * @param savedA bytes of each record saved in the first run, in order, side A
 * @param savedB side B
 * @param labelsA how many labels of tree 0 fell into each of equally wide bins, all runs, side A
 * @param labelsB side B
 */
public record PairSeries(
    String pair,
    List<Long> appendedA,
    List<Long> appendedB,
    List<Long> savedA,
    List<Long> savedB,
    List<Long> labelsA,
    List<Long> labelsB) {}
