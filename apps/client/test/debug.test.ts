import { describe, expect, it } from 'vitest';
import { useCli } from './cli.js';
import { urlServer } from './url-server.js';

const { run, served, server } = useCli();

describe('--debug', () => {
  it('shows the transport and the peer on standard error, and nothing on standard output', async () => {
    const quiet = await run(['call', 'echo', '{"a":1}', ...server()]);
    const { code, stdout, stderr } = await run(['call', 'echo', '{"a":1}', '--debug', ...server()]);
    expect(code).toBe(0);
    expect(stdout).toBe(quiet.stdout);
    expect(quiet.stderr).not.toContain('debug');
    expect(stderr).toMatch(/^debug transport \d+ ms dials stdio/m);
    expect(stderr).toMatch(/^debug transport \d+ ms > \{"jsonrpc":"2.0".*"method":"tools\/call"/m);
    expect(stderr).toMatch(/^debug transport \d+ ms < \{"jsonrpc":"2.0".*"result"/m);
    expect(stderr).toMatch(/^debug peer \d+ ms open/m);
    expect(stderr).toMatch(/^debug peer \d+ ms tools\/call echo: ok in \d+ ms, \d+ bytes out, \d+ in$/m);
    expect(stderr).toMatch(/^debug transport \d+ ms closed$/m);
  });

  it('shows why no connection was made', async () => {
    const { code, stderr } = await run(['tools', '--debug', '--', 'no-such-program']);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^debug transport \d+ ms not connected: DIAL_FAILED: .*no-such-program/m);
  });

  it('never shows a header', async () => {
    const { url } = await urlServer('http', { token: 'a-secret' });
    const secret = 'Bearer a-secret';
    const { code, stderr } = await run(['tools', url, '--debug', '--header', `authorization: ${secret}`]);
    expect(code).toBe(0);
    expect(stderr).toContain('debug transport');
    expect(stderr).not.toContain('a-secret');
  });

  it('shows one bounded line of each text of a peer', async () => {
    const { stderr } = await run(['call', 'nasty', '--debug', ...(await served())]);
    // eslint-disable-next-line no-control-regex
    expect(stderr).not.toMatch(/[\u001b\u009b\u2028\u202e]/);
    const { stderr: huge } = await run(['call', 'huge', '--debug', ...(await served())]);
    expect(Math.max(...huge.split('\n').map((line) => line.length))).toBeLessThanOrEqual(2_048);
  });
});

describe('RXMCP_DEBUG', () => {
  it.each([
    ['transport', 'debug transport', 'debug peer'],
    ['peer', 'debug peer', 'debug transport'],
  ])('%s shows that alone', async (RXMCP_DEBUG, told, untold) => {
    const { code, stderr } = await run(['tools', ...(await served())], { env: { RXMCP_DEBUG } });
    expect(code).toBe(0);
    expect(stderr).toContain(told);
    expect(stderr).not.toContain(untold);
  });

  it('accepts several, and none', async () => {
    const both = await run(['tools', ...(await served())], { env: { RXMCP_DEBUG: 'transport, peer' } });
    expect(both.stderr).toContain('debug transport');
    expect(both.stderr).toContain('debug peer');
    const none = await run(['tools', ...(await served())], { env: { RXMCP_DEBUG: '' } });
    expect(none.stderr).not.toContain('debug');
  });

  it('an unknown one is a usage error', async () => {
    const { code, stderr } = await run(['tools', ...(await served())], { env: { RXMCP_DEBUG: 'wires' } });
    expect(code).toBe(2);
    expect(stderr).toContain('"wires"');
  });
});
