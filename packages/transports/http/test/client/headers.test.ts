import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { http } from '../../src/index.js';
import { headerValue, encodeMessageHeaders } from '../../src/client/wire/message-headers.js';
import { dialled } from './recording.js';
import { json, resultOf, type Scripted, scripted } from './scripted.js';

function answering(): Promise<Scripted> {
  return scripted((seen, response) => json(response, resultOf(seen)));
}

describe('the headers of a request', () => {
  it.each([
    ['us-west1', 'us-west1'],
    ['', ''],
    ['a b', 'a b'],
    ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
    ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
    ['=?base64?literal', '=?base64?literal'],
    ['\u0000', '=?base64?AA==?='],
    ['a\r\nx-evil: 1', '=?base64?YQ0KeC1ldmlsOiAx?='],
    ['\t', '=?base64?CQ==?='],
  ])('row 34: %j is sent as %s', (value, header) => {
    expect(headerValue(value)).toBe(header);
  });

  it('row 34: any text is plain ASCII in its header and comes back from it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const header = headerValue(text);
        const encoded = /^=\?base64\?(.*)\?=$/.exec(header)?.[1];
        const decoded = encoded === undefined ? header : Buffer.from(encoded, 'base64').toString();
        return (
          /^[\x20-\x7e]*$/.test(header) &&
          header === header.trim() &&
          decoded === Buffer.from(text).toString()
        );
      }),
    );
  });

  it('row 34: reaches the server unchanged, whatever the name', async () => {
    const server = await answering();
    const client = await dialled(server.url);
    const name = 'ünï\r\nx-evil: 1';
    client.ask(1, 'tools/call', {
      headers: { method: 'tools/call', name, 'param.Empty': '', 'param.bad name': 'x' },
    });
    await client.arrived(1);
    const { headers } = server.seen[0] ?? {};
    expect(headers).toMatchObject({ 'mcp-name': headerValue(name), 'mcp-param-empty': '' });
    expect(Object.keys(headers ?? {}).filter((key) => key.includes('evil') || key.includes('bad'))).toEqual(
      [],
    );
  });

  it('leaves out unknown parameters', () => {
    expect(encodeMessageHeaders({ version: '1', other: '2', 'param.': '3' })).toEqual({});
  });
});

describe("the user's headers", () => {
  it('are asked for anew per attempt, and may come later', async () => {
    const server = await answering();
    let token = 0;
    const client = await dialled(server.url, {
      headers: async () => {
        await Promise.resolve();
        return { authorization: `Bearer ${String((token += 1))}` };
      },
    });
    client.ask(1);
    await client.arrived(1);
    await client.tell('count');
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer 1', 'Bearer 2']);
  });

  it('that cannot be had or sent fail the request, without their values', async () => {
    const server = await answering();
    const broken = new Error('s3cret is no token');
    const failing = await dialled(server.url, { headers: () => Promise.reject(broken) });
    const error = await failing.failure(failing.ask(1));
    expect(error).toMatchObject({ code: 'DIAL_FAILED', outcome: 'not-sent' });
    expect(`${error.message} ${String(error.cause)} ${String(error.stack)}`).not.toContain('s3cret');
    const odd = await dialled(server.url, { headers: { authorization: 'Bearer s3cret\nx' } });
    const refused = await odd.failure(odd.ask(1));
    expect(refused).toMatchObject({ code: 'DIAL_FAILED', outcome: 'not-sent' });
    expect(`${refused.message} ${String(refused.cause)} ${String(refused.stack)}`).not.toContain('s3cret');
    expect(server.seen).toEqual([]);
  });

  it('that never come end with the lane', async () => {
    const server = await answering();
    const client = await dialled(
      server.url,
      { headers: () => new Promise(() => undefined) },
      { postTimeoutMs: 50 },
    );
    const lane = client.ask(1);
    client.connection.endLane(lane);
    await expect(client.tell('count')).rejects.toMatchObject({ code: 'SEND_FAILED', outcome: 'not-sent' });
    expect(server.seen).toEqual([]);
  });
});

describe('a credential', () => {
  const secret = { headers: { Authorization: 'Bearer s3cret' } };

  it.each([
    'http://example.com/mcp',
    'http://10.0.0.1/mcp',
    'http://localhost.example.com/',
    'http://127.0.0.1.nip.io/',
  ])('is not sent in the open: %s', async (url) => {
    const refused = http(url, secret).dial();
    await expect(refused).rejects.toMatchObject({
      code: 'DIAL_FAILED',
      outcome: 'not-sent',
      retryable: false,
    });
    await expect(refused).rejects.not.toThrow(/s3cret/);
    await expect(http(url, { headers: () => secret.headers }).dial()).rejects.toThrow('plain HTTP');
  });

  it.each(['proxy-authorization', 'Cookie', 'x-api-key', 'Api-Key', 'x-auth-token'])(
    'may be in the header %s too',
    async (name) => {
      const refused = http('http://example.com/mcp', { headers: { accept: 'x', [name]: 's3cret' } }).dial();
      await expect(refused).rejects.toThrow('plain HTTP');
    },
  );

  it.each(['https://example.com/mcp', 'http://localhost:1/mcp', 'http://127.1.2.3/', 'http://[::1]/'])(
    'may be sent to %s',
    async (url) => {
      const connection = await http(url, secret).dial();
      await connection.close();
    },
  );

  it('may be sent in the open with an explicit option', async () => {
    const options = { ...secret, dangerouslyAllowInsecureCredentials: true };
    const connection = await http('http://example.com/mcp', options).dial();
    await connection.close();
  });

  it('is refused at each attempt where it came later', async () => {
    let calls = 0;
    const urls: string[] = [];
    const fetch = (url: string): Promise<Response> => {
      urls.push(url);
      return Promise.resolve(new Response(null, { status: 202 }));
    };
    const headers = (): Record<string, string> => ((calls += 1) > 1 ? secret.headers : {});
    const client = await dialled('http://example.com/mcp', { headers, fetch });
    await expect(client.tell('count')).rejects.toMatchObject({ code: 'DIAL_FAILED', outcome: 'not-sent' });
    expect(urls).toEqual([]);
  });

  it('in a URL is refused without being repeated', () => {
    for (const url of [
      'http://ada:s3cret@localhost/mcp',
      'https://s3cret@localhost/',
      'ftp://s3cret',
      's3cret',
    ]) {
      expect(() => http(url)).toThrow(TypeError);
      expect(() => http(url)).not.toThrow(/s3cret/);
    }
  });

  it('in a query is in no name and no error', async () => {
    const transport = http('http://127.0.0.1:1/mcp?key=s3cret#s3cret');
    expect(transport.name).toBe('http http://127.0.0.1:1/mcp');
    const gone = await answering();
    await gone.close();
    const client = await dialled(`${gone.url}?key=s3cret`);
    const error = await client.failure(client.ask(1));
    expect(error).toMatchObject({ code: 'DIAL_FAILED', outcome: 'not-sent', retryable: true });
    expect(error.message).not.toContain('s3cret');
  });
});

describe('row 72: a redirect', () => {
  it.each([301, 302, 303, 307, 308])(
    'to another origin is not followed, nothing leaves: %i',
    async (status) => {
      const canary = await scripted((seen, response) => json(response, resultOf(seen)));
      const server = await scripted((_seen, response) =>
        response.writeHead(status, { location: canary.url }).end(),
      );
      const client = await dialled(server.url, { headers: { authorization: 'Bearer s3cret' } });
      const error = await client.failure(client.ask(1));
      expect(error).toMatchObject({ code: 'REJECTED', outcome: 'answered', details: { status } });
      await expect(client.tell('count')).rejects.toMatchObject({ code: 'REJECTED' });
      expect(canary.seen).toEqual([]);
    },
  );

  it.each([307, 308])('within the origin is followed with its body: %i', async (status) => {
    const server = await scripted((seen, response) => {
      if (seen.path === '/mcp') response.writeHead(status, { location: '/mcp/' }).end();
      else json(response, resultOf(seen));
    });
    const client = await dialled(server.url);
    client.ask(1);
    await client.arrived(1);
    expect(server.seen.map(({ path }) => path)).toEqual(['/mcp', '/mcp/']);
  });

  it('that would change the method, loops, or has credentials is not followed', async () => {
    for (const [status, requests, credentials] of [
      [302, 1, ''],
      [307, 4, ''],
      [307, 1, 'mallory:secret@'],
    ] as const) {
      const server = await scripted(({ headers }, response) =>
        response.writeHead(status, { location: `http://${credentials}${String(headers.host)}/mcp` }).end(),
      );
      const client = await dialled(server.url);
      expect((await client.failure(client.ask(1))).code).toBe('REJECTED');
      expect(server.seen).toHaveLength(requests);
    }
  });
});
