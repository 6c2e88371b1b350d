import type { Context, LogRecord } from '@rxmcp/core';
import { logItem, once } from '@rxmcp/core';
import { memory } from '@rxmcp/memory';
import type { ConnectedPairOptions } from '@rxmcp/testing';
import { connectedPair } from '@rxmcp/testing';
import { of } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LogLevel } from '../src/index.js';
import { logging, logLevels, offerLogging } from '../src/index.js';

/** One revision of each era, and the oldest. */
const revisions = ['2026-07-28', '2025-11-25', '2024-11-05'] as const;

const pair = (version: string, handler: ConnectedPairOptions['handler'], offers: ConnectedPairOptions = {}) =>
  connectedPair({ version, handler, ...offers, link: memory(), onCleanup: onTestFinished });

const saying = (ctx: Context): Record<string, never> => {
  ctx.log('debug', 'quiet', 'db');
  ctx.log('warning', { rows: 7 }, 'db');
  ctx.log('emergency', null);
  return {};
};

describe.each(revisions)('logging at %s', (version) => {
  it('sends the records of the level that was set, and of higher ones', async () => {
    const { remote, run } = await pair(version, saying, { server: [offerLogging()] });
    const records: LogRecord[] = [];
    let completed = false;
    logging(remote).records$.subscribe({
      next: (record) => records.push(record),
      complete: () => (completed = true),
    });
    await once(logging(remote).setLevel('warning'));
    await run();
    expect(records).toEqual([
      { level: 'warning', data: { rows: 7 }, logger: 'db' },
      { level: 'emergency', data: null },
    ]);
    await once(logging(remote).setLevel('debug'));
    records.length = 0;
    await run();
    expect(records.map(({ level }) => level)).toEqual(['debug', 'warning', 'emergency']);
    await remote.close();
    expect(completed).toBe(true);
  });

  it('is silent until a level was set', async () => {
    const { remote, run } = await pair(version, saying, { server: [offerLogging()] });
    const records: LogRecord[] = [];
    logging(remote).records$.subscribe((record) => records.push(record));
    await run();
    expect(records).toEqual([]);
  });

  it('brings records that a stream emits before its result', async () => {
    const { remote, run } = await pair(
      version,
      () => of(logItem('error', 'first'), logItem('info', 'second'), {}),
      {
        server: [offerLogging()],
      },
    );
    const records: LogRecord[] = [];
    logging(remote).records$.subscribe((record) => records.push(record));
    await once(logging(remote).setLevel('info'));
    await run();
    expect(records).toEqual([
      { level: 'error', data: 'first' },
      { level: 'info', data: 'second' },
    ]);
  });

  it('sends nothing and ends in CAPABILITY_NOT_SUPPORTED where the server does not log', async () => {
    const { remote, run } = await pair(version, saying);
    const records: LogRecord[] = [];
    const wire: unknown[] = [];
    logging(remote).records$.subscribe((record) => records.push(record));
    remote.wire$.subscribe((event) => wire.push(event));
    await expect(once(logging(remote).setLevel('debug'))).rejects.toMatchObject({
      code: 'CAPABILITY_NOT_SUPPORTED',
    });
    expect(wire).toEqual([]);
    await run();
    expect(records).toEqual([]);
  });

  it('does nothing before setLevel is subscribed, and ends an unknown level in an error', async () => {
    const { remote } = await pair(version, saying, { server: [offerLogging()] });
    const wire: unknown[] = [];
    remote.wire$.subscribe((event) => wire.push(event));
    logging(remote).setLevel('debug');
    const wrong = logging(remote).setLevel('loud' as LogLevel);
    await expect(once(wrong)).rejects.toThrow(/"loud" is not a log level: use debug, info/);
    expect(wire).toEqual([]);
    let inside = true;
    await new Promise<void>((resolve) => {
      wrong.subscribe({ error: () => resolve(expect(inside).toBe(false)) });
      inside = false;
    });
  });
});

describe('the levels', () => {
  it('are those of syslog', () => {
    const rfc5424 = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
    expect(logLevels).toEqual(rfc5424);
  });

  it('belong to the remote: attaching twice is one and the same', async () => {
    const { remote } = await pair('2025-11-25', saying, { server: [offerLogging()] });
    expect(logging(remote)).toBe(logging(remote));
  });
});
