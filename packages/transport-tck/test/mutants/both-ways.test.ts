import { pipeRig } from '../pipe.js';
import { bothWays } from './both-ways.js';
import { expectBroken } from './expect-broken.js';

expectBroken(bothWays, (mutant) => {
  return async (acceptor) => pipeRig(acceptor, mutant.change);
});
