import { pipeRig } from '../pipe.js';
import { expectBroken } from './expect-broken.js';
import { framing } from './framing.js';

expectBroken(framing, (mutant) => {
  return async (acceptor) => pipeRig(acceptor, mutant.change);
});
