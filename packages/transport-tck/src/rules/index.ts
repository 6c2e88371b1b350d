import { close } from './close.js';
import { cutLane } from './cut-lane.js';
import { cut } from './cut.js';
import { envelope } from './send-options.js';
import { garbage } from './garbage.js';
import { idScope } from './id-scope.js';
import { lanes } from './lanes.js';
import type { Rule } from '../laws/law.js';
import { leak } from './leak.js';
import { limits } from './limits.js';
import { order } from './order.js';
import { pressure } from './pressure.js';
import { start } from './start.js';

/** Every law, in the order it is proven. */
export const rules: readonly Rule[] = [
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
