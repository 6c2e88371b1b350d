import type { Server } from '@rxmcp/core';
import type { Transport } from './end.js';
import { End } from './end.js';

/** A transport, and the place to serve it: `memory()` for one. */
export interface Link extends Transport {
  serve(server: Server): { close(): Promise<unknown> };
}

/** A link without a queue, whose last connection can be reached. */
export interface InProcess extends Link {
  readonly dialled: End | undefined;
}

/** Makes a link within the process. It is served before it is dialled. */
export function inProcess(): InProcess {
  let served: Server | undefined;
  let dialled: End | undefined;
  return {
    name: 'fake',
    get dialled() {
      return dialled;
    },
    dial() {
      const [near, far] = End.pair();
      dialled = near;
      served?.accept(far);
      return Promise.resolve(near);
    },
    serve(server) {
      served = server;
      return { close: async () => dialled?.close() };
    },
  };
}
