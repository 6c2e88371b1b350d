import type { Fixture } from '@rxmcp/transport-tck';
import { afterAll, beforeAll, vi } from 'vitest';

/** Keeps each channel that is opened. */
class KeptChannel extends MessageChannel {
  static readonly opened: MessageChannel[] = [];

  constructor() {
    super();
    KeptChannel.opened.push(this);
  }
}

/** The hooks of a transport over a MessageChannel: they put a frame on the newest channel, and cut it. */
export function channelHooks(): Pick<Fixture, 'cut' | 'injectFrame' | 'notInjectable'> {
  beforeAll(() => void vi.stubGlobal('MessageChannel', KeptChannel));
  afterAll(() => void vi.unstubAllGlobals());
  return {
    notInjectable: ['bytes'],
    injectFrame(towards, frame) {
      if (typeof frame !== 'string') return false;
      KeptChannel.opened.at(-1)?.[towards === 'served' ? 'port1' : 'port2'].postMessage(frame);
      return undefined;
    },
    cut: () => KeptChannel.opened.at(-1)?.port1.close(),
  };
}
