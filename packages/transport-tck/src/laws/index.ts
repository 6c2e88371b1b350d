import { close } from './close.js';
import { cutLane } from './cut-lane.js';
import { cut } from './cut.js';
import { envelope } from './envelope.js';
import { garbage } from './garbage.js';
import { idScope } from './id-scope.js';
import { lanes } from './lanes.js';
import type { Law } from './law.js';
import { leak } from './leak.js';
import { limits } from './limits.js';
import { order } from './order.js';
import { pressure } from './pressure.js';
import { start } from './start.js';

/** Every law, in the order it is proven. */
export const laws: readonly Law[] = [
  ...start,
  ...order,
  ...lanes,
  ...idScope,
  ...envelope,
  ...close,
  ...limits,
  ...pressure,
  ...garbage,
  ...cut,
  ...cutLane,
  ...leak,
];
