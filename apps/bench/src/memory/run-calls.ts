import { expectedText } from '../requests.js';

/** Makes calls, `inFlight` at a time, and checks every reply. */
export async function run(link: Link, from: number, calls: number, inFlight: number): Promise<void> {
  const end = from + calls;
  let next = from;
  const lane = async (): Promise<void> => {
    while (next < end) {
      const text = expectedText(next++);
      if ((await link.call(text)) !== text) throw new Error(`a wrong reply to "${text}"`);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
}

/** The same, taking the latency of each call, in microseconds. */
export async function timed(link: Link, calls: number, inFlight: number): Promise<Float64Array> {
  const latencies = new Float64Array(calls);
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < calls) {
      const index = next++;
      const at = performance.now();
      await link.call('timed');
      latencies[index] = (performance.now() - at) * 1_000;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return latencies;
}

/** A connected client and server in one process. */
export interface Link {
  /** Calls the tool `echo`; gives what it said. */
  call(text: string): Promise<string>;
  /** How many tools the server lists. */
  count(): Promise<number>;
}
