package dev.weir.bench.patterns;

import dev.weir.bench.series.Series;

/**
 * What came out of an experiment.
 *
 * @param title what it is called
 * @param series the runs of all setups
 * @param bound the time that no placement can beat
 * @param staged whether inputs came from a server outside, and results went to it
 */
record Outcome(Experiment experiment, String title, Series series, Bound bound, boolean staged) {}
