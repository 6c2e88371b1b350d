import { scrypt } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import type { VirtualTime } from '../../src/index.js';
import { virtualTime } from '../../src/index.js';

let time: VirtualTime | undefined;
const opened = (): VirtualTime => (time = virtualTime());

afterEach(() => time?.close());

const { subtle } = crypto;
const aes = { name: 'AES-GCM', length: 256 } as const;
const iv = new Uint8Array(12);
const curve = { name: 'ECDH', namedCurve: 'P-256' } as const;
const pair = await subtle.generateKey(curve, false, ['deriveKey', 'deriveBits']);
const key = await subtle.generateKey(aes, true, ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey']);
const wrapped = await subtle.wrapKey('raw', key, key, { ...aes, iv });
const agreed = { name: 'ECDH', public: pair.publicKey } as const;

describe('virtual time: the cryptography of the platform', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['generateKey', () => subtle.generateKey(aes, true, ['encrypt'])],
    ['generateKey, which is long', () => subtle.generateKey(rsa, true, ['sign'])],
    ['deriveKey', () => subtle.deriveKey(agreed, pair.privateKey, aes, true, ['encrypt'])],
    ['deriveBits', () => subtle.deriveBits(agreed, pair.privateKey, 256)],
    ['exportKey', () => subtle.exportKey('raw', key)],
    ['wrapKey', () => subtle.wrapKey('raw', key, key, { ...aes, iv })],
    ['unwrapKey', () => subtle.unwrapKey('raw', wrapped, key, { ...aes, iv }, aes, true, ['encrypt'])],
    ['what fails', () => subtle.unwrapKey('raw', iv, key, { ...aes, iv }, aes, true, []).catch(() => 0)],
  ])('%s is waited for', async (_name, work) => {
    const clock = opened();
    const ended: number[] = [];
    setTimeout(() => void work().then(() => ended.push(clock.nowMs)), 10);
    await clock.advance(1_000);
    expect(ended).toEqual([10]);
  });

  it('is as before once the clock is closed', () => {
    const own = Object.getOwnPropertyNames(subtle);
    const clock = opened();
    expect(Object.getOwnPropertyNames(subtle).length).toBeGreaterThan(own.length);
    clock.close();
    expect(Object.getOwnPropertyNames(subtle)).toEqual(own);
  });
});

const rsa = {
  name: 'RSA-PSS',
  modulusLength: 1_024,
  publicExponent: new Uint8Array([1, 0, 1]),
  hash: 'SHA-256',
} as const;

describe('virtual time: timers that begin anew', () => {
  it('a timer that waits', async () => {
    const clock = opened();
    const ran: number[] = [];
    const timer = setTimeout(() => ran.push(clock.nowMs), 10);
    await clock.advance(6);
    timer.refresh();
    await clock.advance(20);
    expect(ran).toEqual([16]);
  });

  it('a timer that is due, from outside and from its own callback', async () => {
    const clock = opened();
    const ran: number[] = [];
    const timer: NodeJS.Timeout = setTimeout(() => {
      ran.push(clock.nowMs);
      if (ran.length === 1) timer.refresh();
    }, 10);
    await clock.advance(100);
    timer.refresh();
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(100);
    expect(ran).toEqual([10, 20, 110]);
    clearTimeout(Number(timer.refresh()));
    await clock.advance(100);
    expect([ran.length, clock.pendingTimers]).toEqual([3, 0]);
  });

  it('but none that was cleared, before its time or after it', async () => {
    const clock = opened();
    const ran: string[] = [];
    const early = setTimeout(() => ran.push('early'), 10);
    const late = setTimeout(() => ran.push('late'), 10);
    const within: NodeJS.Timeout = setTimeout(() => {
      ran.push('within');
      clearTimeout(within);
      within.refresh();
    }, 10);
    const each = setInterval(() => {
      ran.push('each');
      clearInterval(each);
      each.refresh();
    }, 10);
    clearTimeout(early);
    early.refresh();
    await clock.advance(50);
    clearTimeout(late);
    late.refresh();
    await clock.advance(50);
    expect(ran).toEqual(['late', 'within', 'each']);
  });
});

describe('virtual time: asynchronous work of the platform without timers', () => {
  const own = new URL(import.meta.url);
  const minute = <T>(): Promise<T> =>
    new Promise((_resolve, reject) => setTimeout(() => reject(new Error('too late')), 60_000));

  it('waits for files as well as for a timer', async () => {
    const clock = opened();
    const text = await clock.run(Promise.race([readFile(own, 'utf8'), minute<string>()]));
    expect([text.includes('files are waited for'), clock.nowMs]).toEqual([true, 0]);
    const lines: number[] = [];
    setTimeout(() => {
      void (async () => {
        const file = await open(own);
        for await (const line of file.readLines()) lines.push(line.length);
        lines.push(clock.nowMs);
      })();
    }, 10);
    await clock.advance(60_000);
    expect([lines.length > 100, lines.at(-1)]).toEqual([true, 10]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a key', () => promisify(scrypt)('a', 'b', 16)],
    [
      'compression',
      () => new Response(new Blob(['a']).stream().pipeThrough(new CompressionStream('gzip'))).text(),
    ],
    [
      'a message port',
      () => {
        const { port1, port2 } = new MessageChannel();
        port2.onmessage = () => port2.postMessage('pong');
        port1.postMessage('ping');
        return new Promise((resolve) => {
          port1.onmessage = ({ data }) => {
            port1.close();
            resolve(data);
          };
        });
      },
    ],
  ])('%s is waited for where no timer is left', async (_name, work) => {
    expect(await opened().run(work().then(() => 'done'))).toBe('done');
  });
});

describe('virtual time: other clocks of Node', () => {
  it('timers in their promised form', async () => {
    const clock = opened();
    const pause = promisify(setTimeout);
    expect([await clock.run(pause(100, 'late')), clock.nowMs]).toEqual(['late', 100]);
    expect([await clock.run(promisify(setImmediate)('soon')), clock.nowMs]).toEqual(['soon', 100]);
    const [controller, aborted] = [new AbortController(), AbortSignal.abort()];
    const ends = Promise.allSettled([controller.signal, aborted].map((signal) => pause(100, 0, { signal })));
    expect(clock.pendingTimers).toBe(1);
    controller.abort();
    const reason = expect.objectContaining({ name: 'AbortError' }) as unknown;
    expect(await clock.run(ends)).toEqual(Array(2).fill({ status: 'rejected', reason }));
    expect([clock.pendingTimers, clock.nowMs]).toEqual([0, 100]);
  });

  it('timers that say whether they hold the process', () => {
    opened();
    const timer = setTimeout(() => undefined, 5);
    expect([timer.hasRef(), timer.unref().hasRef(), timer.ref().hasRef()]).toEqual([true, false, true]);
  });

  it('dates that know what made them', () => {
    const before = Object.getOwnPropertyDescriptor(Date.prototype, 'constructor');
    const clock = opened();
    const now = new Date();
    expect(now.constructor).toBe(Date);
    expect(new (now.constructor as DateConstructor)()).toEqual(now);
    clock.close();
    expect(Object.getOwnPropertyDescriptor(Date.prototype, 'constructor')).toEqual(before);
  });
});
