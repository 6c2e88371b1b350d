import { exhaustive } from './vitest.exhaustive.js';

/** How often something is tried that is another thing each time: in `npm test` a tenth as often as in an exhaustive run. */
export const rounds = (full: number): number => (exhaustive ? full : Math.ceil(full / 10));
