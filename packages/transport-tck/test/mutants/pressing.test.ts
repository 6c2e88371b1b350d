import { pipeRig } from '../pipe.js';
import { expectBroken } from './expect-broken.js';
import { pressing } from './pressing.js';

expectBroken(pressing, (mutant) => {
  return async (acceptor) => pipeRig(acceptor, mutant.change);
});
