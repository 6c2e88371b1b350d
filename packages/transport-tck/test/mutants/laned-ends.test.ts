import { callsRig } from '../calls/calls.js';
import { expectBroken } from './expect-broken.js';
import { lanedEnds } from './laned-ends.js';

expectBroken(lanedEnds, (mutant) => {
  return async (acceptor) => callsRig(acceptor, mutant.accepts ?? 'dial', mutant.change);
});
