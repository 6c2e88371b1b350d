import { describe, expect } from 'vitest';
import { clause } from './stage/clause.js';
import { desk } from './stage/desk.js';
import { key, legacy, metaOf, modern } from './stage/frame.js';
import { posts } from './stage/posts.js';
import { until } from './stage/turn.js';

const add = { name: 'add', arguments: { a: 1, b: 2 } };
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...add, _meta: metaOf() } };
const about = { 'mcp-protocol-version': modern, 'mcp-method': 'tools/call', 'mcp-name': 'add' };
const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;

describe('a server over Streamable HTTP', () => {
  clause(
    ['26/streamable-http/1', '26/streamable-http/14'],
    'takes posts at one URL, and answers each with JSON or a stream',
    async () => {
      const http = await posts(desk().server);
      const plain = await http.modern('tools/call', add);
      expect(plain.status).toBe(200);
      expect(plain.headers.get('content-type')).toBe('application/json');
      expect(plain.frames).toMatchObject([{ id: 1, result: { content: [{ text: '3' }] } }]);
      const meta = { ...metaOf(), progressToken: 't' };
      const frame = { ...call, params: { name: 'steps', _meta: meta } };
      const stream = await http.post(frame, { ...about, 'mcp-name': 'steps' });
      expect(stream.headers.get('content-type')).toBe('text/event-stream');
      expect(stream.frames.at(-1)).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } });
    },
  );

  clause(
    ['26/streamable-http/16', '26/streamable-http/17', '26/streamable-http/18', '26/streamable-http/19'],
    'says on a stream what belongs to its request, the response last, and asks proxies not to buffer',
    async () => {
      const http = await posts(desk().server);
      const meta = { ...metaOf({ elicitation: {}, roots: {} }), progressToken: 't' };
      const frame = { ...call, params: { name: 'steps', _meta: meta } };
      const { headers, frames } = await http.post(frame, { ...about, 'mcp-name': 'steps' });
      expect(headers.get('x-accel-buffering')).toBe('no');
      expect(frames.slice(0, -1).map(({ method, params }) => [method, params?.['progressToken']])).toEqual(
        frames.slice(0, -1).map(() => ['notifications/progress', 't']),
      );
      expect(frames.filter(({ id }) => id !== undefined)).toEqual([frames.at(-1)]);
    },
  );

  clause(['26/streamable-http/2', '26/streamable-http/3'], 'refuses a wrong Origin with 403', async () => {
    const http = await posts(desk().server);
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1.evil.example']) {
      const { status, text } = await http.modern('tools/call', add, { origin });
      expect(status, origin).toBe(403);
      expect(text).not.toContain('result');
    }
    expect((await http.modern('tools/call', add, { origin: 'http://localhost:5173' })).status).toBe(200);
  });

  clause(['26/streamable-http/4'], 'listens on the loopback by default', async () => {
    const { url } = await posts(desk().server);
    expect(new URL(url).hostname).toBe('127.0.0.1');
  });

  clause(
    ['26/streamable-http/12', '26/streamable-http/13'],
    'takes a notification with 202 and nothing',
    async () => {
      const http = await posts(desk().server);
      const told = { jsonrpc: '2.0', method: 'notifications/progress', params: { _meta: metaOf() } };
      const headers = { 'mcp-protocol-version': modern, 'mcp-method': 'notifications/progress' };
      const { status, text } = await http.post(told, headers);
      expect([status, text]).toEqual([202, '']);
      const broken = await http.post('{"jsonrpc":"2.0","method":', headers);
      expect(broken.status).toBe(400);
      const wrong = await http.post({ jsonrpc: '2.0', method: 7 }, headers);
      expect(wrong.status).toBe(400);
    },
  );

  clause(
    [
      '26/streamable-http/24',
      '26/streamable-http/23',
      '26/streamable-http/60',
      '26/streamable-http/62',
      '26/streamable-http/27',
    ],
    'rejects headers that differ from the body, or are missing, with 400 and -32020',
    async () => {
      const http = await posts(desk({ eras: ['modern'] }).server, { sessions: false });
      const wrong: [string, Record<string, string>][] = [
        ['version', { ...about, 'mcp-protocol-version': '2025-11-25' }],
        ['no version', { ...about, 'mcp-protocol-version': '' }],
        ['method', { ...about, 'mcp-method': 'tools/list' }],
        ['no method', { ...about, 'mcp-method': '' }],
        ['name', { ...about, 'mcp-name': 'sum' }],
        ['no name', { ...about, 'mcp-name': '' }],
        ['method in another case', { ...about, 'mcp-method': 'Tools/Call' }],
      ];
      for (const [what, headers] of wrong) {
        const { status, frames } = await http.post(call, headers);
        expect(status, what).toBe(400);
        expect(frames[0]?.error?.code, what).toBe(-32020);
      }
      expect((await http.post(call, about)).status).toBe(200);
    },
  );

  clause(
    ['26/streamable-http/25', '26/basic/46', '26/basic/45'],
    'refuses a version that it does not speak, and a request that lacks its metadata, with 400',
    async () => {
      const http = await posts(desk().server);
      const other = { ...metaOf(), [key('protocolVersion')]: '2999-01-01' };
      const unknown = await http.post(
        { ...call, params: { ...add, _meta: other } },
        { ...about, 'mcp-protocol-version': '2999-01-01' },
      );
      expect(unknown.status).toBe(400);
      expect(unknown.frames[0]?.error).toMatchObject({
        code: -32022,
        data: { supported: [modern, ...legacy], requested: '2999-01-01' },
      });
      const bare = { [key('protocolVersion')]: modern };
      const lacking = await http.post({ ...call, params: { ...add, _meta: bare } }, about);
      expect([lacking.status, lacking.frames[0]?.error?.code]).toEqual([400, -32602]);
      const unable = await http.modern('tools/call', { name: 'greet', arguments: {} });
      expect([unable.status, unable.frames[0]?.error?.code]).toEqual([400, -32021]);
    },
  );

  clause(['26/streamable-http/26'], 'answers 404 and -32601 for an unknown method', async () => {
    const http = await posts(desk().server);
    for (const method of ['no/such', 'ping', 'initialize', 'resources/subscribe']) {
      const { status, frames } = await http.modern(method);
      expect([status, frames[0]?.error?.code], method).toEqual([404, -32601]);
    }
  });

  clause(['26/streamable-http/59'], 'reads names of headers in any case', async () => {
    const http = await posts(desk().server);
    const loud = Object.fromEntries(
      Object.entries(about).map(([name, value]) => [name.toUpperCase(), value]),
    );
    expect((await http.post(call, loud)).status).toBe(200);
  });

  clause(
    ['26/streamable-http/46', '26/streamable-http/52'],
    'decodes a name before it compares',
    async () => {
      const http = await posts(desk().server);
      expect((await http.post(call, { ...about, 'mcp-name': base64('add') })).status).toBe(200);
      expect((await http.post(call, { ...about, 'mcp-name': base64('sum') })).status).toBe(400);
      for (const broken of ['=?base64?YWRk*?=', '=?base64?YWR?=', '=?base64?/////w==?=']) {
        const { status, frames } = await http.post(call, { ...about, 'mcp-name': broken });
        expect([status, frames[0]?.error?.code], broken).toEqual([400, -32020]);
      }
      // In upper case it is not a mark, but a name.
      const upper = base64('add').replace('base64', 'BASE64');
      expect((await http.post(call, { ...about, 'mcp-name': upper })).status).toBe(400);
    },
  );

  clause(
    [
      '26/streamable-http/53',
      '26/streamable-http/54',
      '26/streamable-http/55',
      '26/streamable-http/56',
      '26/streamable-http/57',
      '26/streamable-http/58',
      '26/streamable-http/61',
    ],
    'requires the marked parameters in headers, as they are in the body',
    async () => {
      const http = await posts(desk().server);
      const told = async (
        given: object,
        headers: Record<string, string>,
      ): Promise<[number, number | undefined]> => {
        const { status, frames } = await http.modern(
          'tools/call',
          { name: 'routed', arguments: given },
          headers,
        );
        return [status, frames[0]?.error?.code];
      };
      const good: [object, Record<string, string>][] = [
        [
          { city: 'Lyon', floor: 2 },
          { 'mcp-param-city': 'Lyon', 'mcp-param-floor': '2' },
        ],
        [{ city: 'Lyon' }, { 'mcp-param-city': base64('Lyon') }],
        [{ city: '北京' }, { 'mcp-param-city': base64('北京') }],
        [{ floor: 42 }, { 'mcp-param-floor': '42.0' }],
        [{ city: null }, {}],
        [{}, {}],
        [{}, { 'mcp-param-other': 'x' }],
      ];
      for (const [given, headers] of good)
        expect(await told(given, headers), JSON.stringify(headers)).toEqual([200, undefined]);
      const bad: [object, Record<string, string>][] = [
        [{ city: 'Lyon' }, {}],
        [{ city: 'Lyon' }, { 'mcp-param-city': 'Oslo' }],
        [{ city: 'Lyon' }, { 'mcp-param-city': base64('Oslo') }],
        [{ city: 'Lyon' }, { 'mcp-param-city': '=?base64?*?=' }],
        [{ floor: 42 }, { 'mcp-param-floor': '43' }],
        [{ city: null }, { 'mcp-param-city': 'Lyon' }],
      ];
      for (const [given, headers] of bad)
        expect(await told(given, headers), JSON.stringify(headers)).toEqual([400, -32020]);
    },
  );

  clause(
    ['26/cancellation/4', '26/streamable-http/20', '26/streamable-http/21'],
    'takes the end of a stream by its client for a cancel',
    async () => {
      const { server, slow } = desk();
      const http = await posts(server);
      const leaving = new AbortController();
      const asked = http.send({
        method: 'POST',
        signal: leaving.signal,
        headers: {
          ...about,
          'mcp-name': 'slow',
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ ...call, params: { name: 'slow', _meta: metaOf() } }),
      });
      asked.catch(() => undefined);
      await until(() => slow() === 1);
      leaving.abort();
      await until(() => slow() === 0);
    },
  );

  clause(
    ['26/streamable-http/68'],
    'of this revision alone does not take other methods of HTTP',
    async () => {
      const http = await posts(desk({ eras: ['modern'] }).server, { sessions: false });
      for (const method of ['GET', 'DELETE']) {
        const response = await http.send({
          method,
          headers: { accept: 'text/event-stream', 'mcp-session-id': 'x' },
        });
        expect(response.status, method).toBe(405);
      }
      const { headers } = await http.modern('tools/call', add, { 'mcp-session-id': 'old' });
      expect(headers.get('mcp-session-id')).toBeNull();
    },
  );
});
