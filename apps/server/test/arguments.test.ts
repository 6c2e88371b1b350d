import { describe, expect, it } from 'vitest';
import { readArguments, UsageError } from '../src/arguments.js';

describe('the command line', () => {
  it('serves this repository in every era unless told otherwise', () => {
    const { root, ...rest } = readArguments([], {});
    expect(root).toBe(new URL('../../..', import.meta.url).pathname);
    expect(rest).toEqual({});
  });

  it('takes a folder, a protocol and the keys of the environment', () => {
    const keys = [{ id: 'a', secret: 'x'.repeat(32) }];
    const env = { RXMCP_STATE_KEYS: JSON.stringify(keys) };
    expect(readArguments(['--stdio', '--root', '/data', '--protocol', 'legacy'], env)).toEqual({
      root: '/data',
      eras: ['legacy'],
      stateKeys: keys,
    });
    expect(readArguments(['--protocol=2025-06-18'], {})).toMatchObject({ versions: ['2025-06-18'] });
    expect(readArguments(['--protocol', 'auto'], {})).not.toHaveProperty('eras');
  });

  it.each([
    [['--http', '0'], /--http is not built yet/],
    [['--sse', '0'], /--sse is not built yet/],
    [['--ws', '0'], /--ws is not built yet/],
    [['--port', '1'], /--port/],
    [['serve'], /serve/],
    [['--protocol', 'newest'], /newest/],
  ])('refuses %j', (args, message) => {
    const read = (): unknown => readArguments(args, {});
    expect(read).toThrow(UsageError);
    expect(read).toThrow(message);
  });

  it.each(['{', '{}', '[]', '[{"id":"a"}]', '[null]'])(
    'refuses the keys %s without repeating them',
    (text) => {
      const read = (): unknown => readArguments([], { RXMCP_STATE_KEYS: text });
      expect(read).toThrow(UsageError);
      expect(read).toThrow(/^RXMCP_STATE_KEYS must be JSON such as/);
    },
  );
});
