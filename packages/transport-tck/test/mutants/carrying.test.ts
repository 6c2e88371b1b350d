import { pipeRig } from '../pipe.js';
import { expectBroken } from './expect-broken.js';
import { carrying } from './carrying.js';

expectBroken(carrying, (mutant) => {
  return async (acceptor) => pipeRig(acceptor, mutant.change);
});
