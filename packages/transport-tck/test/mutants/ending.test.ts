import { pipeRig } from '../pipe.js';
import { expectBroken } from './expect-broken.js';
import { ending } from './ending.js';

expectBroken(ending, (mutant) => {
  return async (acceptor) => pipeRig(acceptor, mutant.change);
});
