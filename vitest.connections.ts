import { exhaustive } from './vitest.exhaustive.js';

type Register = (name: string, run: () => Promise<void>) => unknown;

/**
 * For the transport conformance kit, where a wire differs from one that is tried with all rules only in how its connections begin and
 * end, or is an example that takes long: registers the rules about that, and in an exhaustive run all others.
 *
 * @param also Further rules for `npm test`. @default none
 */
export const aboutConnections =
  (test: Register, also?: RegExp): Register =>
  (name, run) =>
    exhaustive !== (/^(?:traits|dial|start|close|cut)\//.test(name) || also?.test(name) === true) &&
    test(name, run);
