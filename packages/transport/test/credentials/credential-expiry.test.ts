import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CredentialExpiry } from '../../src/internal.js';

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

const caller = (afterMs: number | undefined, ...scopes: string[]) => ({
  principal: 'ada',
  ...(afterMs === undefined ? {} : { expiresAt: 1_000_000 + afterMs }),
  scopes,
});

function expiryOf(opener: ReturnType<typeof caller>) {
  const expired = vi.fn();
  const expiry = new CredentialExpiry(opener, expired);
  const firesAfter = (ms: number): void => {
    vi.advanceTimersByTime(ms - 1);
    expect(expired).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect([expired.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0]);
  };
  return { expiry, expired, firesAfter };
}

describe('what a caller has opened', () => {
  it('ends when the credentials expire', () => {
    expiryOf(caller(5_000)).firesAfter(5_000);
  });

  it('never ends for credentials without an end', () => {
    const { expiry } = expiryOf(caller(undefined));
    expiry.renew(caller(1));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('lives as long as later credentials with all of its scopes', () => {
    const { expiry, firesAfter } = expiryOf(caller(5_000, 'a', 'b'));
    expiry.renew(caller(9_000, 'b', 'a', 'c'));
    firesAfter(9_000);
  });

  it('stays for ever with credentials that do not expire', () => {
    const { expiry, expired } = expiryOf(caller(5_000));
    expiry.renew(caller(undefined));
    vi.advanceTimersByTime(100_000);
    expect(expired).not.toHaveBeenCalled();
  });

  it.each([
    ['that end earlier', caller(4_000, 'a')],
    ['that lack a scope', caller(9_000, 'b')],
    ['of an anonymous caller', undefined],
  ])('is not extended by credentials %s', (_which, later) => {
    const { expiry, firesAfter } = expiryOf(caller(5_000, 'a'));
    expiry.renew(later);
    firesAfter(5_000);
  });

  const watch = { method: 'resources/subscribe' };

  it.each([
    ['a watch', watch],
    ['a watch in a batch', [{ method: 'ping' }, watch]],
  ])('ends with credentials that have more scopes and with which %s begins', (_what, message) => {
    const { expiry, firesAfter } = expiryOf(caller(9_000, 'a'));
    expiry.received(message, caller(5_000, 'a', 'b'));
    expiry.renew(caller(12_000, 'a'));
    firesAfter(5_000);
  });

  it('lives on where later credentials have the scopes of a watch too', () => {
    const { expiry, firesAfter } = expiryOf(caller(9_000, 'a'));
    expiry.received(watch, caller(5_000, 'b'));
    expiry.renew(caller(12_000, 'b', 'a'));
    firesAfter(12_000);
  });

  it.each([
    ['with no more scopes', watch, caller(5_000, 'a')],
    ['for another request', { method: 'tools/call' }, caller(5_000, 'a', 'b')],
    ['of an anonymous caller', watch, undefined],
    ['for no object', null, caller(5_000, 'a', 'b')],
  ])('does not end with credentials %s', (_which, message, other) => {
    const { expiry, firesAfter } = expiryOf(caller(9_000, 'a'));
    expiry.received(message, other);
    firesAfter(9_000);
  });

  it('is not ended once it is over', () => {
    const { expiry } = expiryOf(caller(5_000));
    expiry.stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});
