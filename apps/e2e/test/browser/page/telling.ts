import type { Server } from 'rxmcp';
import { described } from '../../websocket/served.js';

/** A server that cannot be inspected from outside: its temperature is 100, and one more for each call that was torn down. */
export function telling(): Server {
  const { server, temperature, torndown } = described();
  setInterval(() => {
    const next = 100 + torndown();
    if (temperature.value !== next) temperature.next(next);
  }, 20);
  return server;
}
