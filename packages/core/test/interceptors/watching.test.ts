import { NEVER, of, throwError, timer } from 'rxjs';
import type { Observable } from 'rxjs';
import { map } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ResponseEvent, Fault } from '../../src/index.js';
import { RxmcpError, offerMethod, once, RpcError } from '../../src/index.js';
import type { AuditRecord } from '../../src/interceptors/index.js';
import { audit, redact } from '../../src/interceptors/index.js';
import { drive, result } from './driven.js';
import { pair } from './pair.js';

describe('audit', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const records: AuditRecord[] = [];
  const auditing = audit({ record: (record) => void records.push(record) });
  beforeEach(() => void (records.length = 0));
  const params = { name: 'pay', arguments: { secret: 'é' } };
  const caller = { principal: 'ada', capabilities: {} };

  it('records who, what, how long and how large, and nothing of the contents', async () => {
    vi.setSystemTime(5_000);
    const slow = () => timer(70).pipe(map(() => result({ a: 1 })));
    const { seen } = drive(auditing, slow, { side: 'server', method: 'tools/call', params, caller });
    await vi.advanceTimersByTimeAsync(70);
    expect(seen).toEqual([{ a: 1 }, 'complete']);
    expect(records).toEqual([
      {
        side: 'server',
        method: 'tools/call',
        target: 'pay',
        principal: 'ada',
        version: '2026-07-28',
        startedAt: 5_000,
        durationMs: 70,
        status: 'ok',
        requestBytes: 42,
        resultBytes: 7,
      },
    ]);
  });

  it.each<[string, () => Observable<ResponseEvent>, object, object]>([
    [
      'an error',
      () => throwError(() => new RpcError(-32602, 'secret')),
      {},
      { status: 'failed', code: -32602 },
    ],
    [
      'an error of this side',
      () => throwError(() => new RxmcpError('CLOSED', 'x')),
      {},
      { status: 'failed', code: 'CLOSED' },
    ],
    ['a tool that failed', () => of(result({ isError: true })), {}, { status: 'failed', resultBytes: 16 }],
    ['a question first', () => NEVER, { inputRequired: true }, { status: 'input-required' }],
    ['a cancel', () => NEVER, {}, { status: 'cancelled' }],
  ])('%s', (_what, source, more, told) => {
    const { subscription } = drive(auditing, source, more);
    subscription.unsubscribe();
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject(told);
    expect(JSON.stringify(records)).not.toContain('secret');
  });

  it('has the parameters on request; a record that throws is a fault and has no other effect', () => {
    const faults: Fault[] = [];
    drive(audit({ record: (record) => void records.push(record), includeParams: true }), () => of(result()), {
      params,
    });
    expect(records[0]?.params).toBe(params);
    const broken = audit({
      record: () => {
        throw new Error('disk');
      },
    });
    const { seen } = drive(broken, () => of(result()), { fault: (fault) => void faults.push(fault) });
    expect(seen).toEqual([{}, 'complete']);
    expect(faults).toEqual([expect.objectContaining({ code: 'AUDIT_FAILED' })]);
  });

  it('cuts a long target', () => {
    const told: AuditRecord[] = [];
    const params = { uri: `x:/${'a'.repeat(100_000)}` };
    drive(audit({ record: (record) => void told.push(record) }), () => of(result()), { params });
    expect(told[0]?.target).toBe(`${params.uri.slice(0, 1_024)}…`);
  });

  it('reports a record that could not be stored', async () => {
    const faults: Fault[] = [];
    const broken = audit({ record: () => Promise.reject(new Error('disk')) });
    drive(broken, () => of(result()), { fault: (fault) => void faults.push(fault) });
    await Promise.resolve();
    expect(faults).toMatchObject([{ code: 'AUDIT_FAILED', cause: { message: 'disk' } }]);
  });
});

describe('redact', () => {
  const cleaning = redact({ keys: ['apiKey', 'token'], patterns: [/sk-\w+/, /\d{4}-\d{4}/y] });
  const gone = '[redacted]';

  it('redacts the JSON form of an object', () => {
    const self = {
      text: 'sk-2',
      toJSON(): object {
        return this;
      },
    };
    const value = { at: { toJSON: () => ({ token: 'a', text: 'sk-1', self }) } };
    const { seen } = drive(cleaning, () => of(result(value)));
    expect(seen[0]).toMatchObject({ at: { token: gone, text: gone, self: { text: gone } } });
  });

  it('redacts values under keys and matches in texts in results, at any depth', () => {
    const value = {
      APIKEY: { a: 1 },
      list: [{ token: 7, text: 'use sk-1 or sk-2' }],
      rest: { n: 1 },
      t: '1234-5678',
    };
    const { seen } = drive(cleaning, () => of(result(value)));
    const list = [{ token: gone, text: `use ${gone} or ${gone}` }];
    expect(seen[0]).toEqual({ APIKEY: gone, list, rest: { n: 1 }, t: gone });
    expect(value.list[0]?.token).toBe(7);
  });

  it('returns the same object where it finds nothing, whatever its keys', () => {
    const value = JSON.parse('{"__proto__": {"a": "b"}, "c": [1, null]}') as Record<string, unknown>;
    expect(drive(cleaning, () => of(result(value))).seen[0]).toBe(value);
    const hidden = JSON.parse('{"__proto__": {"token": "b"}}') as Record<string, unknown>;
    expect(JSON.stringify(drive(cleaning, () => of(result(hidden))).seen[0])).toBe(
      `{"__proto__":{"token":"${gone}"}}`,
    );
  });

  it('redacts logs, progress and errors too, and parameters on request', () => {
    const events: ResponseEvent[] = [
      { type: 'log', level: 'info', data: { token: 1 } },
      { type: 'progress', progress: 1, message: 'sk-1' },
    ];
    const seen: unknown[] = [];
    cleaning({ params: {} } as never, () => of(...events)).subscribe((event) => seen.push(event));
    expect(seen).toEqual([
      { type: 'log', level: 'info', data: { token: gone } },
      { type: 'progress', progress: 1, message: gone },
    ]);
    const failed = (error: Error) => drive(cleaning, () => throwError(() => error)).seen[0];
    expect(failed(new RpcError(7, 'sk-1', { token: 1 }))).toMatchObject({
      code: 7,
      message: gone,
      data: { token: gone },
    });
    expect(failed(new RxmcpError('TIMEOUT', 'sk-1', { outcome: 'unknown' }))).toMatchObject({
      code: 'TIMEOUT',
      message: gone,
      outcome: 'unknown',
    });
    const given: unknown[] = [];
    const source = (params: object) => (given.push(params), of(result()));
    drive(redact({ keys: ['token'], redactParams: true }), source, { params: { token: 1 } });
    drive(cleaning, source, { params: { token: 1 } });
    expect(given).toEqual([{ token: gone }, { token: 1 }]);
  });

  it('works between a handler and its caller', async () => {
    const offers = [offerMethod('x/y', {}, () => ({ token: 'abc', text: 'sk-1' }))];
    const { remote } = await pair('2026-07-28', { offers, interceptors: [cleaning] });
    expect(await once(remote.request('x/y'))).toEqual({ token: gone, text: gone });
  });
});
