import { pipeRig } from '../pipe.js';
import { expectBroken } from './expect-broken.js';
import { reporting } from './reporting.js';

expectBroken(reporting, (mutant) => {
  return async (acceptor) => pipeRig(acceptor, mutant.change);
});
