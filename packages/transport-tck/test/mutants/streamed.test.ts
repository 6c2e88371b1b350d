import { streamFixture } from '../wires/stream.js';
import { expectBroken } from './expect-broken.js';
import { streamed } from './streamed.js';

// A rule about a side that does not read sends 68 MB, which takes more than 10 s on a busy machine.
expectBroken(
  streamed,
  (mutant) => async (handler) => streamFixture(handler, mutant.change, mutant.firstMessageTimeoutMs),
  { ruleTimeoutMs: 30_000 },
);
