import { dial } from './dial.js';
import { laneEnds } from './lane-ends.js';
import { laneOrder } from './lane-order.js';
import { message } from './message.js';
import { served } from './served.js';
import { traits } from './traits.js';
import { close } from './close.js';
import { cutLane } from './cut-lane.js';
import { cut } from './cut.js';
import { options } from './send-options.js';
import { garbage } from './garbage.js';
import { idScope } from './id-scope.js';
import { lanes } from './lanes.js';
import type { Rule } from './rule.js';
import { leak } from './leak.js';
import { limits } from './limits.js';
import { order } from './order.js';
import { pressure } from './pressure.js';
import { relay } from './relay.js';
import { start } from './start.js';

/** Every rule, in the order it is proven. */
export const rules: readonly Rule[] = [
  ...start,
  ...dial,
  ...traits,
  ...order,
  ...lanes,
  ...laneOrder,
  ...laneEnds,
  ...served,
  ...idScope,
  ...message,
  ...options,
  ...close,
  ...limits,
  ...pressure,
  ...garbage,
  ...relay,
  ...cut,
  ...cutLane,
  ...leak,
];
