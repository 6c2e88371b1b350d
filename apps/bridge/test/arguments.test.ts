import { describe, expect, it } from 'vitest';
import { UsageError } from '@rxmcp/app-serving/usage-error';
import { readArguments, textToPrint } from '../src/arguments.js';

const read = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  readArguments(args, env);
const serverOf = (...of: Parameters<typeof read>) => read(...of).server;

describe('the command line', () => {
  it('prints its help and its version, not those of the command', () => {
    expect(textToPrint(['--help'])).toContain('--max-clients N');
    expect(textToPrint(['--version'])).toMatch(/^\d+\.\d+\.\d+/);
    expect(textToPrint(['--', 'node', '--version', '--help'])).toBeUndefined();
  });

  it('names one server, and how clients come', () => {
    expect(read(['http://x.test/mcp'])).toEqual({
      stdio: true,
      ports: {},
      server: { url: 'http://x.test/mcp', headers: {} },
      maxClients: undefined,
      tokens: undefined,
    });
    expect(read(['--http', '0', '--ws', '65535', '--', 'node', 'a.js', '--http', '1'])).toEqual({
      stdio: false,
      ports: { http: 0, ws: 65_535 },
      server: { command: 'node', args: ['a.js', '--http', '1'] },
      maxClients: undefined,
      tokens: undefined,
    });
    expect(read(['--stdio', '--sse', '1', '--', 'x'])).toMatchObject({
      stdio: true,
      ports: { sse: 1 },
    });
  });

  it.each([
    [[]],
    [['--']],
    [['a', 'b']],
    [['a', '--', 'b']],
    [['--http', '65536', 'a']],
    [['--http', '-1', 'a']],
    [['--http', '1e3', 'a']],
    [['--what', 'a']],
    [['--max-clients', '0', 'a']],
    [['--max-clients', '1e3', 'a']],
    [['--header', 'x: y', '--', 'a']],
  ])('rejects %j', (args) => {
    expect(() => read(args)).toThrow(UsageError);
  });

  it('limits the clients, for a command and for a URL alike', () => {
    expect(read(['--max-clients', '3', '--', 'x']).maxClients).toBe(3);
    expect(read(['--max-clients', '3', 'http://x.test']).maxClients).toBe(3);
  });
});

describe('headers', () => {
  it('are those of the environment, and of the command line in their place', () => {
    const RXMCP_HEADERS = '{"Authorization":"Bearer a","x-team":"b"}';
    const url = 'http://x.test';
    expect(serverOf([url], { RXMCP_HEADERS })).toEqual({
      url,
      headers: { authorization: 'Bearer a', 'x-team': 'b' },
    });
    expect(
      serverOf(['--header', 'authorization:Bearer c', '--header', 'x-own: d:e', url], { RXMCP_HEADERS }),
    ).toEqual({ url, headers: { authorization: 'Bearer c', 'x-own': 'd:e', 'x-team': 'b' } });
    expect(() => serverOf(['--', 'x'], { RXMCP_HEADERS })).toThrow(/^--header and RXMCP_HEADERS are for/);
  });

  it.each([
    [['--header', 'her-token'], {}],
    [['--header', 'x y: her-token'], {}],
    [['--header', 'x: her-token\u0001'], {}],
    [[], { RXMCP_HEADERS: 'her-token' }],
    [[], { RXMCP_HEADERS: '["her-token"]' }],
    [[], { RXMCP_HEADERS: '{"x":["her-token"]}' }],
    [[], { RXMCP_HEADERS: '{"x":"her-token\\u0000"}' }],
  ])('rejects %j and %j, and no error repeats a value', (args, env) => {
    const thrown = (): unknown => {
      try {
        return read([...args, 'http://x.test'], env);
      } catch (error) {
        return error;
      }
    };
    expect(thrown()).toBeInstanceOf(UsageError);
    expect(String(thrown())).not.toContain('her-token');
  });
});

it('tokens are a table of texts that a header can carry, and no error repeats them', () => {
  const tokensOf = (RXMCP_TOKENS: string) => read(['http://x.test'], { RXMCP_TOKENS }).tokens;
  expect(tokensOf('')).toBeUndefined();
  expect(tokensOf('{"ada":"her-token"}')).toEqual({ ada: 'her-token' });
  for (const text of ['her-token', '["her-token"]', '{"ada":["her-token"]}', '{"ada":""}', 'null', '{}'])
    expect(() => tokensOf(text)).toThrow(/^RXMCP_TOKENS must be JSON such as/);
  for (const token of ['her token', 'her-token\u0001', 'her-t\u00f6ken', 'x'.repeat(4_097)])
    expect(() => tokensOf(JSON.stringify({ bob: 'his', ada: token }))).toThrow(UsageError);
});
