package io.github.roram.auditor.judge;

/**
 * How much better than by chance a distinguisher told the sides apart: 2 · accuracy − 1.
 *
 * @param value 0 is chance, 1 is certainty; below 0 by chance alone
 * @param low lower end of the 95 % confidence interval
 * @param high its upper end
 * @param samples how many samples, held out from training, it was tried on
 * @param smallest the smallest advantage that so many samples would have told apart, 19 times of 20
 */
public record Advantage(double value, double low, double high, long samples, double smallest) {}
