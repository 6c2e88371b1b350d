import { streamFixture } from '../wires/stream.js';
import { expectBroken } from './expect-broken.js';
import { streamed } from './streamed.js';

expectBroken(streamed, (mutant) => {
  return async (handler) => streamFixture(handler, mutant.change, mutant.firstMessageTimeoutMs);
});
