import { dial } from './lifecycle/dial.js';
import { laneEnds } from './lanes/lane-ends.js';
import { laneOrder } from './lanes/lane-order.js';
import { message } from './messages/message.js';
import { served } from './lifecycle/served.js';
import { traits } from './lifecycle/traits.js';
import { close } from './lifecycle/close.js';
import { cutLane } from './lanes/cut-lane.js';
import { cut } from './lifecycle/cut.js';
import { options } from './messages/send-options.js';
import { garbage } from './messages/garbage.js';
import { idScope } from './lanes/id-scope.js';
import { lanes } from './lanes/lanes.js';
import type { Rule } from './rule.js';
import { leak } from './lifecycle/leak.js';
import { limits } from './messages/limits.js';
import { order } from './messages/order.js';
import { pressure } from './messages/pressure.js';
import { relay } from './messages/relay.js';
import { start } from './lifecycle/start.js';

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
