import {
  type Connection,
  createConnection,
  pipeTraits,
  type ConnectionHandler,
  type Traits,
} from '@rxmcp/transport';
import { expect, test } from 'vitest';
import type { Fixture, ServeFixture } from '../src/index.js';
import { pipeRig } from './pipe.js';
import { run } from './run-rules.js';

/* The message of a broken rule must lead its reader to the part that broke it. */

const options = { stepTimeoutMs: 100, closeTimeoutMs: 200, ruleTimeoutMs: 1_000 };

async function said(serve: ServeFixture, only: RegExp): Promise<string> {
  const { broken } = await run(serve, { options, only });
  return broken.join('\n');
}

test.each([
  ['served', 'closed() on the served side'],
  ['dialling', 'closed() on the dialling side'],
])('names the side that did not receive the end: the %s one', async (side, words) => {
  const deaf = side === 'served';
  const serve: ServeFixture = async (acceptor) =>
    pipeRig(acceptor, (parts) => ({
      over: (end, error) => (end.served === deaf ? undefined : parts.over(end, error)),
    }));
  expect(await said(serve, deaf ? /^close\/notifies-peer/ : /^close\/(by-peer|send-after-peer)/)).toContain(
    `waited 200 ms for ${words}`,
  );
});

test('sends that the transport refused, counted', async () => {
  const serve: ServeFixture = async (acceptor) => {
    let taken = 0;
    return pipeRig(acceptor, (parts) => ({
      send(end, out, envelope) {
        taken += 1;
        return taken > 20 ? Promise.reject(new Error('queue full')) : parts.send(end, out, envelope);
      },
    }));
  };
  expect(await said(serve, /^order\/sent/)).toMatch(
    /^ {2}rejected sends: 180, the last with Error: queue full$/m,
  );
});

test('a refusal with its code', async () => {
  const full = (): Connection =>
    createConnection({ start() {}, close() {}, send: () => Promise.reject(new Error('full')) }, pipeTraits);
  const serve: ServeFixture = async () => dialled(full);
  expect(await said(serve, /^order\/responses/)).toContain(
    'rejected sends: 100, the last with SEND_FAILED: full',
  );
});

test('the one trait in which the sides differ', async () => {
  const message = await said(
    async (acceptor) => pipeRig(stating(acceptor, { serverInitiates: false })),
    /^start\/traits/,
  );
  expect(message).toContain('traits.serverInitiates of the served side: expected true, saw false');
});

test('a limit that is smaller than the requests of the kit', async () => {
  const tiny = { maxMessageBytes: 5 };
  const serve: ServeFixture = async (acceptor) => {
    const rig = pipeRig(stating(acceptor, tiny));
    return {
      ...rig,
      transport: { name: 'tiny', dial: async () => stated(await rig.transport.dial(), tiny) },
    };
  };
  expect(await said(serve, /^limits\/just-under/)).toMatch(
    /traits\.maxMessageBytes is 5, and a request of the kit alone takes up to \d+/,
  );
});

test('messages that were read before the start', async () => {
  const serve: ServeFixture = async (acceptor) =>
    pipeRig(acceptor, (parts) => ({
      enqueue: (end, text) => (end.receiver === undefined ? undefined : parts.enqueue(end, text)),
    }));
  const message = await said(serve, /^start\/holds/);
  expect(message.match(/the 3 messages sent before start \(read before start\?\)/g)).toHaveLength(2);
});

function dialled(dial: () => Connection): Fixture {
  return { transport: { name: 'odd', dial: async () => dial() }, close: async () => undefined };
}

function stated(connection: Connection, traits: Partial<Traits>): Connection {
  return { ...connection, traits: { ...connection.traits, ...traits } };
}

function stating(acceptor: ConnectionHandler, traits: Partial<Traits>): ConnectionHandler {
  return { accept: (connection) => acceptor.accept(stated(connection, traits)) };
}
