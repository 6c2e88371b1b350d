import { pipeRig } from '../pipe.js';
import { expectBroken } from './expect-broken.js';
import { exchanging } from './exchanging.js';

expectBroken(exchanging, (mutant) => {
  return async (acceptor) => pipeRig(acceptor, mutant.change);
});
