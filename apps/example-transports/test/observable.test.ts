import { verifyApplicableRules } from '@rxmcp/transport-tck';
import { afterAll, beforeAll, describe, test, vi } from 'vitest';
import { observables } from '../src/observable.js';

/** Keeps each channel, so that the newest can be cut. */
class KeptChannel extends MessageChannel {
  static readonly opened: MessageChannel[] = [];

  constructor() {
    super();
    KeptChannel.opened.push(this);
  }
}

describe('an Observable and a function', async () => {
  beforeAll(() => void vi.stubGlobal('MessageChannel', KeptChannel));
  afterAll(() => void vi.unstubAllGlobals());
  await verifyApplicableRules({
    test,
    async serve(handler) {
      const served = observables(handler);
      return {
        transport: served.transport,
        pausesReading: true,
        notInjectable: ['bytes'],
        injectFrame(towards, frame) {
          if (typeof frame !== 'string') return false;
          KeptChannel.opened.at(-1)?.[towards === 'served' ? 'port1' : 'port2'].postMessage(frame);
        },
        cut: () => KeptChannel.opened.at(-1)?.port1.close(),
        close: () => served.close(),
      };
    },
  });
});
