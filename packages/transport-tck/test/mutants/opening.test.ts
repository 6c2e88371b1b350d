import { pipeRig } from '../pipe.js';
import { expectBroken } from './expect-broken.js';
import { opening } from './opening.js';

expectBroken(opening, (mutant) => {
  return async (acceptor) => pipeRig(acceptor, mutant.change);
});
