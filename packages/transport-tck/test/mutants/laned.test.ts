import { callsRig } from '../calls/calls.js';
import { expectBroken } from './expect-broken.js';
import { laned } from './laned.js';

expectBroken(laned, (mutant) => {
  return async (acceptor) => callsRig(acceptor, mutant.accepts ?? 'dial', mutant.change);
});
