import { expect, it } from 'vitest';
import type { Interceptor } from '../../src/index.js';
import { defineClient, defineServer } from '../../src/index.js';
import * as ours from '../../src/interceptors/index.js';

const { approve, authorize, cache, concurrency, rateLimit, redact, retry, timeout, runInContext } = ours;
const info = { name: 'a', version: '1' };
const serverOf = (interceptors: Interceptor[]) => () => defineServer({ info, offers: [], interceptors });
const clientOf = (interceptors: Interceptor[]) => () => defineClient({ info, interceptors });
const perAttemptOf = (attemptInterceptors: Interceptor[]) => () =>
  defineClient({ info, attemptInterceptors });
const storage = { run: <R>(_: undefined, work: () => R): R => work(), getStore: () => undefined };
const onBoth = [
  timeout({ totalTimeoutMs: 1 }),
  concurrency({ maxConcurrentRequests: 1 }),
  rateLimit({ limit: 1 }),
  redact({}),
];
const both = [
  ...onBoth,
  runInContext(storage),
  ours.audit({ record: () => undefined }),
  ours.trace({ storage }),
];

it.each([
  ['retry', retry()],
  ['cache', cache()],
  ['approve', approve({ confirm: () => true })],
])('%s belongs to a client', (name, interceptor) => {
  expect(clientOf([interceptor])).not.toThrow();
  expect(perAttemptOf([interceptor])).not.toThrow();
  expect(serverOf([...both, interceptor])).toThrow(
    new TypeError(`${name} cannot be one of the interceptors of a server: it is for the calls of a client`),
  );
});

it('authorize belongs to a server', () => {
  const interceptor = authorize({ allow: () => true });
  expect(serverOf([interceptor])).not.toThrow();
  const problem = (member: string) =>
    new TypeError(`authorize cannot be one of the ${member} of a client: it is for the requests of a server`);
  expect(clientOf([...both, interceptor])).toThrow(problem('interceptors'));
  expect(perAttemptOf([interceptor])).toThrow(problem('attemptInterceptors'));
  expect(() => defineClient({ info, incomingInterceptors: [...both, interceptor] })).toThrow(
    problem('incomingInterceptors'),
  );
});

it('the others belong to both', () => {
  expect(serverOf(both)).not.toThrow();
  expect(clientOf(both)).not.toThrow();
  expect(perAttemptOf(both)).not.toThrow();
});
