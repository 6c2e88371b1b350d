/**
 * A port of 127.0.0.1 at which no server listens. A port that a server had and closed is not one: the system gives it to the
 * next that asks, such as a test that runs at the same time. It never chooses one below 1,024, and pages may dial this one.
 */
export const closedPort = 2;
