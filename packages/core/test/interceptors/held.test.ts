import { NEVER, throwError } from 'rxjs';
import { expect, it } from 'vitest';
import { TransportError } from '@rxmcp/transport';
import { retry, timeout } from '../../src/interceptors/index.js';
import { drive } from './driven.js';

const held = () => process.getActiveResourcesInfo().filter((what) => what === 'Timeout').length;
const lost = () => new TransportError('CONNECTION_LOST', 'cut', { outcome: 'unknown' });

it.each([
  [
    'a pause of retry',
    () => drive(retry({ initialDelayMs: 60_000 }), () => throwError(lost), { method: 'tools/list' }),
  ],
  ['a timeout', () => drive(timeout({ idleTimeoutMs: 60_000 }), () => NEVER)],
])('%s keeps the process alive until it is unsubscribed', (_what, begin) => {
  const before = held();
  const { subscription } = begin();
  expect(held()).toBe(before + 1);
  subscription.unsubscribe();
  expect(held()).toBe(before);
});
