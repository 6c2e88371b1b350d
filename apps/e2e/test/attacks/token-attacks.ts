import { randomBytes } from 'node:crypto';
import { modernHeaders, rawRequest, rawSockets, passed, type RawAttack } from './attacker.js';
import { pipelined, toolCall } from './raw-attacks.js';

/** A JWT with a random signature. */
function forgedToken(): string {
  const parts = [
    { alg: 'ES256', kid: 'a', typ: 'at+jwt' },
    { sub: 'mallory', aud: 'http://localhost/mcp', exp: 4_000_000_000, pad: 'x'.repeat(4_000) },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  return [...parts, randomBytes(64).toString('base64url')].join('.');
}

/** Attacks on a server that verifies access tokens. */
export const tokenAttacks: Readonly<Record<string, RawAttack>> = {
  'forged access tokens come without a pause': async (port) => {
    for (let round = 0; round < 20; round += 1) {
      const ends = Array.from({ length: 32 }, () => {
        const calls = Array.from({ length: 4 }, () =>
          rawRequest(toolCall('length'), {
            ...modernHeaders('mallory', 'tools/call', 'length'),
            authorization: `Bearer ${forgedToken()}`,
          }),
        );
        return rawSockets(port, 1, calls.join(''), true);
      });
      await passed(50);
      for (const end of ends) end();
    }
    return () => undefined;
  },
  'valid access tokens of 4,800 subjects come without a pause': async (port) => {
    for (let round = 0; round < 12; round += 1) {
      const ends = Array.from({ length: 25 }, (_, socket) => {
        const calls = Array.from({ length: pipelined }, (__, at) =>
          rawRequest(
            toolCall('length'),
            modernHeaders(`mallory-${String(round)}-${String(socket)}-${String(at)}`, 'tools/call', 'length'),
          ),
        );
        return rawSockets(port, 1, calls.join(''), true);
      });
      await passed(20);
      for (const end of ends) end();
    }
    return () => undefined;
  },
};
