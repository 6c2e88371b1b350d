import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished, expect, test } from 'vitest';
import { Relay, type RelayEnd, type ServeFixture } from '../src/index.js';
import { relayTo } from '../src/node.js';
import { pipeRig } from './pipe.js';
import { run } from './run-rules.js';

const sink = createServer({ pauseOnConnect: true });
await once(sink.listen(0, '127.0.0.1').unref(), 'listening');
const port = (): number => (sink.address() as AddressInfo).port;

/** A relay that leaves a socket for each connection, and names their handles where it `states` them. */
class LeakyRelay extends Relay {
  readonly left: Socket[] = [];

  constructor(private readonly states: boolean) {
    super();
  }

  override get handles(): readonly string[] {
    // Both ends are in this process.
    return this.states ? this.left.flatMap(() => ['TCPSocketWrap', 'TCPSocketWrap']) : [];
  }

  override join(served: RelayEnd, dialled: RelayEnd): ReturnType<Relay['join']> {
    this.left.push(connect(port(), '127.0.0.1'));
    return super.join(served, dialled);
  }
}

const nothing: RelayEnd = { write: () => undefined, end: () => undefined, cut: () => undefined };

test.each([
  [true, 'holds'],
  [false, 'is broken'],
])('a leak of a relay that says what it keeps (%s): leak/handles %s', async (states, becomes) => {
  const relay = new LeakyRelay(states);
  onTestFinished(() => relay.left.forEach((socket) => socket.destroy()));
  const serve: ServeFixture = async (handler) => {
    const { transport, close } = pipeRig(handler);
    const dial: typeof transport.dial = (options) => (relay.join(nothing, nothing), transport.dial(options));
    return { transport: { name: 'relayed', dial }, close, relay };
  };
  const { broken } = await run(serve, { options: { stepTimeoutMs: 200 }, only: /^leak\/handles/ });
  expect(broken.length === 0 ? 'holds' : 'is broken').toBe(becomes);
});

test('a relay for TCP names its open sockets, and none once both sides have closed', async () => {
  const relay = await relayTo({ port: port() });
  onTestFinished(() => relay.close());
  const accepted = once(sink, 'connection');
  const near = connect(relay.port, '127.0.0.1');
  const [far] = (await accepted) as [Socket];
  expect(relay.handles).toEqual(['TCPSocketWrap', 'TCPSocketWrap']);
  near.end();
  far.resume().end();
  await Promise.all([once(near.resume(), 'close'), once(far, 'close')]);
  await expect.poll(() => relay.handles).toEqual([]);
});
