import { verifyApplicableRules } from '@rxmcp/transport-tck';
import { describe, expect, test } from 'vitest';
import { webSocket } from '../src/index.js';
import { serveWebSocket } from '../src/node.js';
import { certificate } from '../../../../vitest.certificate.js';
import { aboutConnections } from '../../../../vitest.connections.js';
import { recording } from '@rxmcp/transport-tck/recording';
import { stand, turnsUntil } from './stand.js';
import { generousTimeouts } from '../../../../vitest.kit.js';

const tls = certificate();

describe('over TLS', async () => {
  await verifyApplicableRules({
    test: aboutConnections(test),
    options: generousTimeouts,
    async serve(acceptor) {
      const serving = await serveWebSocket(acceptor, { tls });
      return { transport: webSocket(serving.url, { ca: tls.cert }), close: () => serving.close() };
    },
  });

  test('an untrusted certificate fails the dial', async () => {
    const { url } = await stand({ tls });
    expect(url).toMatch(/^wss:/);
    await expect(webSocket(url).dial()).rejects.toMatchObject({
      code: 'DIAL_FAILED',
      details: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    });
    await expect(webSocket(url, { ca: certificate().cert }).dial()).rejects.toMatchObject({
      code: 'DIAL_FAILED',
    });
  });

  test('credentials are sent over it, several certificates may be trusted, https: means wss:', async () => {
    const { url, connection } = await stand({ tls });
    const client = await webSocket(url.replace('wss:', 'https:'), {
      ca: [certificate().cert, tls.cert],
      headers: { authorization: 'Bearer a' },
    }).dial();
    client.start(recording());
    await client.send({ jsonrpc: '2.0', method: 'hello' });
    const { record } = await connection();
    await turnsUntil(() => record.messages.length === 1);
  });
});
