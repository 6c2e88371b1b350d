import type { TransportErrorCode, TransportErrorOptions } from '@rxmcp/transport';
import { TransportError } from '@rxmcp/transport';
import { describe, expect, it } from 'vitest';
import type { ClientOptions } from '../../src/index.js';
import type { Frame, Pipe } from '../rig/pipe.js';
import { connected, rawServer } from '../rig/raw-server.js';
import { pause } from '../rig/turn.js';

/** A carrier on which each request has a lane of its own. */
const traits = { lanes: 'per-request', idScope: 'connection', carriesHeaders: true } as const;
const shaken = {
  result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'r', version: '0' } },
};
const error = (code: TransportErrorCode, options: TransportErrorOptions = {}): TransportError =>
  new TransportError(code, 'no', options);

/** A server with a custom response to the probe, and to the handshake. */
function opening(
  probed: (frame: Frame, wire: Pipe) => object | undefined,
  shake: object | undefined = shaken,
) {
  return rawServer(
    (frame, wire) =>
      frame.method === 'server/discover'
        ? probed(frame, wire)
        : frame.method === 'initialize'
          ? shake
          : undefined,
    { era: 'own' },
    traits,
  );
}
const closesLane =
  (cause?: TransportError) =>
  ({ method }: Frame, wire: Pipe): undefined =>
    void wire.closeLane(method as string, cause);
const versionOf = async (server: ReturnType<typeof opening>, options: Partial<ClientOptions> = {}) =>
  (await connected(server, { probeTimeoutMs: 20, ...options })).version;

describe('a probe on a lane of its own', () => {
  it.each([400, 404, 405])(
    'that the carrier refuses with %i means a server of the older era',
    async (status) => {
      const server = opening(closesLane(error('REJECTED', { outcome: 'answered', details: { status } })));
      expect(await versionOf(server)).toBe('2025-11-25');
      expect(server.pipes).toHaveLength(1);
    },
  );

  it.each<TransportErrorCode>(['UNAUTHORIZED', 'CONNECTION_LOST', 'DIAL_FAILED', 'TOO_LARGE'])(
    'that ends with %s does not decide the era and ends the opening',
    async (code) => {
      const cause = error(code);
      const server = opening(closesLane(cause));
      await expect(versionOf(server)).rejects.toBe(cause);
      expect(server.pipes).toHaveLength(1);
      expect(server.pipes[0]?.sent.map((f) => f.method)).toEqual(['server/discover']);
      expect(server.pipes[0]?.closed).toBe(true);
    },
  );

  it('whose stream ends without a response does not decide the era either', async () => {
    await expect(versionOf(opening(closesLane()))).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
  });

  it('that gets no response is waited for as long as the opening may take', async () => {
    const server = opening((frame, wire) => {
      const supportedVersions = ['2026-07-28'];
      const result = { resultType: 'complete', supportedVersions, capabilities: {} };
      void pause(60).then(() => wire.put({ jsonrpc: '2.0', id: frame.id, result }));
      return undefined;
    });
    expect(await versionOf(server, { probeTimeoutMs: 10 })).toBe('2026-07-28');
    expect(server.pipes[0]?.sent.map((f) => f.method)).toEqual(['server/discover']);
  });

  it('dials again with the handshake where the connection was lost, but not where it was unauthorized', async () => {
    const fled = opening((_frame, wire) => void wire.end(error('CONNECTION_LOST')) as undefined);
    expect(await versionOf(fled)).toBe('2025-11-25');
    const barred = opening((_frame, wire) => void wire.end(error('UNAUTHORIZED')) as undefined);
    await expect(versionOf(barred)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(barred.pipes).toHaveLength(1);
  });
});

it('a handshake that the carrier refuses ends the opening with its status', async () => {
  const refused = closesLane(error('REJECTED', { outcome: 'answered', details: { status: 405 } }));
  const server = rawServer((frame, wire) => refused(frame, wire), { era: 'own' }, traits);
  await expect(versionOf(server)).rejects.toMatchObject({ code: 'REJECTED', details: { status: 405 } });
  expect(server.pipes[0]?.sent.map((f) => f.method)).toEqual(['server/discover', 'initialize']);
});
