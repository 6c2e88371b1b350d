import { createServer as createTcpServer } from 'node:net';
import { constants, createGzip, gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { defaultFetch } from '../../src/fetch/node.js';
import { answered, deferred, listening, manual, serve } from './servers.js';

describe('a body', () => {
  it('is read in one chunk, whatever the pieces that have arrived', async () => {
    const chunks = 5_000;
    const pieces = '1\r\na\r\n'.repeat(chunks);
    const url = await answered(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${pieces}0\r\n\r\n`);
    const { body } = await defaultFetch(url, manual);
    let bytes = 0;
    let reads = 0;
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      reads += 1;
    }
    expect(bytes).toBe(chunks);
    expect(reads).toBeLessThan(50);
  });

  it('waits for its reader', async () => {
    let written = 0;
    const url = await serve((_, response) => {
      const more = (): void => {
        while (written < 500 && response.write(Buffer.alloc(65_536))) written += 1;
        written += 1;
      };
      response.on('drain', more);
      more();
    });
    const { body } = await defaultFetch(url, manual);
    await vi.waitFor(() => expect(written).toBeGreaterThan(0));
    await new Promise(setImmediate);
    expect(written).toBeLessThan(500);
    await body?.cancel();
  });

  it('is decoded, as soon as the server flushes it', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const zip = createGzip({ flush: constants.Z_SYNC_FLUSH });
      zip.pipe(response);
      zip.write('data: 1\n\n');
    });
    const reader = (await defaultFetch(url, manual)).body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: 1\n\n');
    await reader?.cancel();
  });

  it('is requested as gzip, and accepted as nothing else', async () => {
    const requested: unknown[] = [];
    let coding = 'gzip';
    const url = await serve((request, response) => {
      requested.push(request.headers['accept-encoding']);
      response.writeHead(200, { 'content-encoding': coding }).end(gzipSync('zipped'));
    });
    expect(await (await defaultFetch(url, manual)).text()).toBe('zipped');
    coding = 'br';
    await expect(defaultFetch(url, { headers: { 'accept-encoding': 'identity' } })).rejects.toMatchObject({
      cause: { message: 'the response has the content coding "br", which was not requested' },
    });
    expect(requested).toEqual(['gzip', 'identity']);
  });

  it.each([204, 205, 304])('is null with the status %d', async (status) => {
    const url = await serve((_, response) => response.writeHead(status).end());
    expect(await defaultFetch(url, manual)).toMatchObject({ status, body: null });
  });

  it('is not read with the status 205', async () => {
    const closed = deferred();
    const url = await serve((_, response) => {
      response.on('close', () => closed.resolve());
      response.writeHead(205).write('some');
    });
    expect(await defaultFetch(url, manual)).toMatchObject({ status: 205, body: null });
    await closed.promise;
  });

  it.each(['GZIP', 'x-gzip'])('is decoded in pieces of a byte (%s), and may be empty', async (coding) => {
    const zipped = gzipSync('zipped '.repeat(10_000));
    const pieces = [...zipped].map((byte) => Buffer.from([49, 13, 10, byte, 13, 10]));
    const server = createTcpServer((socket) => {
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: ${coding}\r\ntransfer-encoding: chunked\r\n\r\n`);
        socket.write(Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')]));
      });
    });
    const text = await (await defaultFetch(`http://${await listening(server)}/`, manual)).text();
    expect(text).toBe('zipped '.repeat(10_000));
    const head = `HTTP/1.1 200 OK\r\ncontent-encoding: ${coding}\r\ncontent-length: 0\r\n\r\n`;
    expect(await (await defaultFetch(await answered(head), manual)).text()).toBe('');
  });

  it('rejects where it is cut, and where it is not what it says', async () => {
    const cut = await defaultFetch(
      await serve((_, response) => {
        response.writeHead(200, { 'content-length': 10 }).write('some');
        response.once('drain', () => undefined);
        setImmediate(() => response.destroy());
      }),
      manual,
    );
    await expect(cut.text()).rejects.toMatchObject({ message: 'terminated', cause: { code: 'ECONNRESET' } });
    const url = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('no'),
    );
    await expect((await defaultFetch(url, manual)).text()).rejects.toThrow('terminated');
  });

  it('that is cancelled closes the connection where more is to come', async () => {
    const closed = deferred();
    const url = await serve((_, response) => {
      response.on('close', () => closed.resolve());
      response.writeHead(200).write('some');
    });
    await (await defaultFetch(url, manual)).body?.cancel();
    await closed.promise;
  });
});

it('what a connection receives is parsed in pieces of 16 KiB, in turns with others', async () => {
  const url = await serve((_, response) => response.end(Buffer.alloc(1_000_000)));
  const sizes: number[] = [];
  const read = async (): Promise<void> => {
    const { body } = await defaultFetch(url, manual);
    for await (const { length } of body as unknown as AsyncIterable<Uint8Array>) sizes.push(length);
  };
  await Promise.all(Array.from({ length: 8 }, read));
  expect(sizes.reduce((sum, size) => sum + size)).toBe(8_000_000);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(16_384);
});
