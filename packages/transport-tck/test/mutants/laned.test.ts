import { lanedRig } from '../laned-pipe.js';
import { expectBroken } from './expect-broken.js';
import { laned } from './laned.js';

expectBroken(laned, (mutant) => {
  return async (acceptor) => lanedRig(acceptor, mutant.change());
});
