import { type EndAttack, messageOf, modernHeaders, rawRequest, rawSockets } from './attacker.js';
import type { Attack } from './attacks.js';

const small: Attack = {
  over: 'http',
  era: 'modern',
  method: 'tools/call',
  bytesIn: 'capabilities',
  then: 'wait',
};

/** What no client does: attacks below the protocol. */
export const rawAttacks: Readonly<Record<string, (port: number) => Promise<EndAttack> | EndAttack>> = {
  '64 sockets only declare a body': (port) =>
    rawSockets(
      port,
      64,
      rawRequest({}, { ...modernHeaders('mallory', 'tools/call'), 'content-length': '4000000' }),
    ),
  'requests for large answers are pipelined and nothing is read': (port) => {
    const message = messageOf(small, 1) as { params: { name: string } };
    message.params.name = 'large';
    return rawSockets(
      port,
      4,
      rawRequest(message, modernHeaders('mallory', 'tools/call', 'large')).repeat(100),
    );
  },
};
