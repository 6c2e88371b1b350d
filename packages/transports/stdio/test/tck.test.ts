import { type Duplex, Transform } from 'node:stream';
import { type Connection, createConnection, pipeTraits, TransportError } from '@rxmcp/transport';
import { verifyApplicableRules } from '@rxmcp/transport-tck';
import { describe, test, vi } from 'vitest';
import { serveStdio, stdio, type StdioServeHandle } from '../src/index.js';
import { PipeChannel } from '../src/pipe/pipe-channel.js';
import { streamInput } from '../src/pipe/standard-input.js';
import { bundled } from '../../../../vitest.bundle.js';
import { aboutConnections } from '../../../../vitest.connections.js';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { generousTimeouts } from '../../../../vitest.kit.js';

// An exhaustive run does not repeat what `npm test` has.
if (!exhaustive)
  describe('a child process', async () => {
    const path = await bundled(new URL('fixtures/echo.ts', import.meta.url));

    await verifyApplicableRules({
      test,
      async serve() {
        const pids: number[] = [];
        const child = stdio({
          command: process.execPath,
          args: [path],
          stderr: (line) => void pids.push(Number(line)),
        });
        let dials = 0;
        return {
          transport: { name: child.name, dial: (options) => ((dials += 1), child.dial(options)) },
          close: () => Promise.resolve(),
          async cut() {
            await vi.waitUntil(() => pids.length === dials, { interval: 1 });
            process.kill(pids.at(-1) ?? 0, 'SIGKILL');
          },
        };
      },
      options: { outOfProcess: true, ...generousTimeouts },
    });
  });

describe('the serving side on streams', async () => {
  await verifyApplicableRules({
    // The child process has all rules but those for which a test writes bytes itself.
    test: aboutConnections(test, /^(?:limits|garbage|pressure\/(?!burst))/),
    options: generousTimeouts,
    async serve(acceptor) {
      const handles: StdioServeHandle[] = [];
      let stopped = false;
      let up = pipe();
      let down = pipe();
      return {
        transport: {
          name: 'streams',
          async dial({ signal } = {}) {
            await Promise.resolve();
            if (signal?.aborted) throw new TransportError('DIAL_ABORTED', 'the dial was aborted');
            if (stopped) throw new TransportError('DIAL_FAILED', 'The streams are closed.');
            up = pipe();
            down = pipe();
            handles.push(serveStdio(acceptor, { input: up, output: down }));
            return dialling(down, up);
          },
        },
        async close() {
          stopped = true;
          for (const handle of handles) await handle.close();
        },
        injectFrame(towards, frame) {
          const into = towards === 'served' ? up : down;
          into.write(frame);
          into.write('\n');
        },
      };
    },
  });
});

/** A stream that hands on in a later turn, as the pipe of a process does. */
function pipe(): Transform {
  return new Transform({ transform: (chunk, _encoding, done) => void setImmediate(done, null, chunk) });
}

/** The other end of the streams: the same carrier, closed in order when its input ends. */
function dialling(input: Duplex, output: Duplex): Connection {
  const carrier = new PipeChannel({
    input: streamInput(input),
    output,
    write: (text) => output.write(text),
    endsOutput: true,
    maxMessageBytes: pipeTraits.maxMessageBytes,
    writeTimeoutMs: 30_000,
    inputEnded: () => void connection.close(),
  });
  const connection = createConnection(carrier, pipeTraits);
  return connection;
}
