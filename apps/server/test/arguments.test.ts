import { describe, expect, it } from 'vitest';
import { readArguments } from '../src/arguments.js';
import { UsageError } from '../src/usage.js';

describe('the command line', () => {
  it('serves this repository in every era by default', () => {
    expect(readArguments([], {})).toEqual({
      server: { root: new URL('../../..', import.meta.url).pathname },
      stdio: true,
      ports: {},
      tls: undefined,
      tokens: undefined,
    });
  });

  it('takes a folder, a protocol and the keys of the environment', () => {
    const keys = [{ id: 'a', secret: 'x'.repeat(32) }];
    const env = { RXMCP_STATE_KEYS: JSON.stringify(keys) };
    expect(readArguments(['--stdio', '--root', '/data', '--protocol', 'legacy'], env).server).toEqual({
      root: '/data',
      eras: ['legacy'],
      stateKeys: keys,
    });
    expect(readArguments(['--protocol=2025-06-18'], {}).server).toMatchObject({ versions: ['2025-06-18'] });
    expect(readArguments(['--protocol', 'auto'], {}).server).not.toHaveProperty('eras');
  });

  it('accepts ports, which do not use standard input unless it is named', () => {
    expect(readArguments(['--http', '0'], {})).toMatchObject({ stdio: false, ports: { http: 0 } });
    const all = ['--stdio', '--http', '80', '--sse', '80', '--ws=65535'];
    expect(readArguments(all, {})).toMatchObject({ stdio: true, ports: { http: 80, sse: 80, ws: 65_535 } });
  });

  it('takes a certificate, and the tokens of the environment', () => {
    const env = { RXMCP_TOKENS: '{"ada":"open-sesame"}' };
    expect(readArguments(['--ws', '0', '--tls-cert', 'a', '--tls-key', 'b'], env)).toMatchObject({
      tls: { cert: 'a', key: 'b' },
      tokens: { ada: 'open-sesame' },
    });
  });

  it.each([
    [['--http', '65536'], /--http "65536" is not a port: pass a number up to 65535, or 0 for a free port/],
    [['--sse=-1'], /--sse "-1" is not a port: pass a number up to 65535, or 0 for a free port/],
    [['--ws', 'x'], /--ws "x" is not a port: pass a number up to 65535, or 0 for a free port/],
    [['--http', '0', '--tls-cert', 'a'], /--tls-key need each other/],
    [['--tls-cert', 'a', '--tls-key', 'b'], /need --http, --sse or --ws/],
    [['--port', '1'], /--port/],
    [['serve'], /serve/],
    [['--protocol', 'newest'], /newest/],
  ])('refuses %j', (args, message) => {
    const read = (): unknown => readArguments(args, {});
    expect(read).toThrow(UsageError);
    expect(read).toThrow(message);
  });

  it.each(['{', '[]', '{}', '{"ada":""}', '{"ada":1}', '{"ada":"two words"}'])(
    'refuses the tokens %s without repeating them',
    (text) => {
      const read = (): unknown => readArguments([], { RXMCP_TOKENS: text });
      expect(read).toThrow(UsageError);
      expect(read).toThrow(/^RXMCP_TOKENS must be JSON such as/);
    },
  );

  it.each(['{', '{}', '[]', '[{"id":"a"}]', '[null]'])(
    'refuses the keys %s without repeating them',
    (text) => {
      const read = (): unknown => readArguments([], { RXMCP_STATE_KEYS: text });
      expect(read).toThrow(UsageError);
      expect(read).toThrow(/^RXMCP_STATE_KEYS must be JSON such as/);
    },
  );
});
