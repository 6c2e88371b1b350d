/**
 * How long a connection may be silent before the system asks whether the other side is still there. It asks ten times, once
 * per second, so that a side that vanished without a word is noticed after 25 s.
 */
export const keepAliveMs = 15_000;
