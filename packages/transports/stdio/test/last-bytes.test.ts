import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { PipeChannel } from '../src/pipe/pipe-channel.js';
import { streamInput } from '../src/pipe/standard-input.js';

test('close waits for what the output has accepted and not written: the process may exit then', async () => {
  const written: string[] = [];
  const output = new Writable({
    highWaterMark: 1024 * 1024,
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      setImmediate(() => {
        written.push(chunk);
        done();
      });
    },
  });
  const channel = new PipeChannel({
    input: streamInput(new PassThrough()),
    output,
    write: (text, callback) => output.write(text, callback),
    endsOutput: false,
    maxMessageBytes: 1024,
    writeTimeoutMs: 1_000,
    inputEnded: () => undefined,
  });
  void channel.send('one');
  void channel.send('two');
  await channel.close();
  expect(written.join('')).toBe('one\ntwo\n');
  expect(output.writableLength).toBe(0);
});
