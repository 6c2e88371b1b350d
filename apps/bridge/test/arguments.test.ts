import { describe, expect, it } from 'vitest';
import { readArguments, UsageError } from '../src/arguments.js';
import { tokensOf } from '../src/tokens.js';

describe('the command line', () => {
  it('names one server, and how clients come', () => {
    expect(readArguments(['http://x.test/mcp'])).toEqual({
      stdio: true,
      ports: {},
      server: { url: 'http://x.test/mcp' },
    });
    expect(readArguments(['--http', '0', '--ws', '65535', '--', 'node', 'a.js', '--http', '1'])).toEqual({
      stdio: false,
      ports: { http: 0, ws: 65_535 },
      server: { command: 'node', args: ['a.js', '--http', '1'] },
    });
    expect(readArguments(['--stdio', '--sse', '1', '--', 'x'])).toMatchObject({
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
  ])('%j is none', (args) => {
    expect(() => readArguments(args)).toThrow(UsageError);
  });
});

it('tokens are a table of texts, and no error repeats them', () => {
  expect(tokensOf(undefined)).toBeUndefined();
  expect(tokensOf('{"ada":"her-token"}')).toEqual({ ada: 'her-token' });
  for (const text of ['her-token', '["her-token"]', '{"ada":["her-token"]}', '{"ada":""}', 'null'])
    expect(() => tokensOf(text)).toThrow(/^RXMCP_TOKENS must be a JSON object of names and tokens$/);
});
