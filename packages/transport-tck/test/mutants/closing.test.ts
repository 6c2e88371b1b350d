import { pipeRig } from '../pipe.js';
import { expectBroken } from './expect-broken.js';
import { closing } from './closing.js';

expectBroken(closing, (mutant) => {
  return async (acceptor) => pipeRig(acceptor, mutant.change);
});
