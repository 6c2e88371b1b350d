import { describe, expect, it } from 'vitest';
import { readArguments, textToPrint } from '../src/arguments.js';
import { UsageError } from '@rxmcp/app-serving/usage-error';

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
      requestStateKeys: keys,
    });
    expect(readArguments(['--protocol=2025-06-18'], {}).server).toMatchObject({ versions: ['2025-06-18'] });
    expect(readArguments(['--protocol', 'auto'], {}).server).not.toHaveProperty('eras');
  });

  it('accepts ports, which do not use standard input unless it is named', () => {
    expect(readArguments(['--http', '0'], {})).toMatchObject({ stdio: false, ports: { http: 0 } });
    const all = ['--stdio', '--http', '80', '--sse', '80', '--ws=65535'];
    expect(readArguments(all, {})).toMatchObject({ stdio: true, ports: { http: 80, sse: 80, ws: 65_535 } });
  });

  it('takes a folder without an option', () => {
    expect(readArguments(['/data', '--http', '0'], {})).toMatchObject({ server: { root: '/data' } });
  });

  it('takes the commands, the repository and the operators of tools that act beyond the folder', () => {
    const env = {
      RXMCP_TOKENS: '{"ada":"open-sesame"}',
      GITHUB_TOKEN: 'secret',
      GITHUB_API_URL: 'https://github.example/api/v3/',
    };
    const args = ['--allow-command', 'git', '--allow-command=ls', '--operator', 'ada'];
    expect(readArguments([...args, '--http', '0', '--github-repo', 'octo/cat'], env).server).toMatchObject({
      commands: ['git', 'ls'],
      operators: ['ada'],
      github: { repository: 'octo/cat', apiUrl: 'https://github.example/api/v3', token: 'secret' },
    });
    const plain = { ...env, GITHUB_API_URL: 'http://github.example' };
    expect(() => readArguments(['--github-repo', 'octo/cat'], plain)).toThrow(/must be an https: URL/);
  });

  it('prints its help and its version', () => {
    expect(textToPrint(['--http', '0', '--help'])).toMatch(/^usage: main.js .*\n\nServes a folder/);
    expect(textToPrint(['--version'])).toMatch(/^\d+\.\d+\.\d+/);
    expect(textToPrint(['--http', '0'])).toBeUndefined();
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
    [['a', 'b'], /more than one folder: "b" and "a"/],
    [['a', '--root', 'b'], /more than one folder: "b" and "a"/],
    [['--github-repo', 'octocat'], /--github-repo "octocat" must be OWNER\/NAME/],
    [['--github-repo', 'octocat/..'], /--github-repo "octocat\/.." must be/],
    [['--github-repo', 'octocat/hello'], /needs GITHUB_TOKEN/],
    [['--http', '0', '--allow-command', 'ls'], /need RXMCP_TOKENS or --auth-issuer, and --operator/],
    [['--operator', 'ada'], /--operator "ada" is not a name of RXMCP_TOKENS/],
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
