import { InMemoryTransport as V2 } from '@modelcontextprotocol/client';
import { InMemoryTransport as V1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { fromSdkTransport, type SdkTransport } from '@rxmcp/transport/sdk';
import { official, type Subject } from './subject.js';

export const inMemory: readonly Subject[] = [
  linked('InMemory v1', () => V1.createLinkedPair()),
  linked('InMemory v2', () => V2.createLinkedPair()),
];

function linked(name: string, pair: () => readonly [SdkTransport, SdkTransport]): Subject {
  return {
    name,
    async serve(acceptor) {
      const serving = official(acceptor);
      let stopped = false;
      const dial = (): SdkTransport => {
        if (stopped) throw new Error('The server is closed.');
        const [near, far] = pair();
        serving.accept(far);
        return near;
      };
      return {
        transport: fromSdkTransport(dial),
        close() {
          stopped = true;
          return serving.close();
        },
      };
    },
  };
}
