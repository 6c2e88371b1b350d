import { defineClient, defineServer, type Offer, once, type Remote } from '@rxmcp/core';
import { offerRemote } from 'rxmcp/gateway';
import { memory } from '@rxmcp/memory';
import { offerTools, type Tool, tool, tools } from '@rxmcp/tools';
import { processMemory } from '@rxmcp/transport';
import { BehaviorSubject } from 'rxjs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { leaveMemory } from '../../../../vitest.memory.js';

const info = { name: 'gateway', version: '1.0.0' };

/** A client of a server in memory, until the end of the test. */
async function connected(offers: readonly Offer[]): Promise<Remote> {
  const link = memory();
  const handle = link.serve(defineServer({ info, offers }));
  onTestFinished(() => handle.close());
  const remote = await defineClient({ info }).connect(link);
  onTestFinished(() => remote.close());
  return remote;
}

const long = (): Tool[] =>
  Array.from({ length: 20 }, (_, at) =>
    tool(`t${String(at)}`, { description: 'd'.repeat(50_000) }, () => ''),
  );

/** A client of a gateway that has listed a million characters of another server. */
async function listed() {
  const inner = await connected([offerTools(long())]);
  const remotes$ = new BehaviorSubject(inner);
  const remote = await connected(offerRemote(remotes$));
  expect((await once(tools(remote).list())).length).toBe(20);
  return { inner, remotes$, remote };
}

it('the lists of a lost server are charged until the next one, or until the gateway has no client', async () => {
  const { inner, remotes$, remote } = await listed();
  // Also that of the client, which has listed.
  const both = processMemory().heldBytes;
  expect(both).toBeGreaterThan(4_000_000);
  await inner.close();
  expect(Math.abs(processMemory().heldBytes - both)).toBeLessThan(50_000);
  remotes$.next(await connected([offerTools([tool('next', () => '')])]));
  await vi.waitUntil(() => processMemory().heldBytes < both - 1_000_000);
  await remotes$.value.close();
  await remote.close();
  await vi.waitUntil(() => processMemory().heldBytes === 0);
});

it('the end of one of two gateways with the same offers leaves the charge of the other one', async () => {
  const inner = await connected([offerTools(long())]);
  const offers = offerRemote(new BehaviorSubject(inner));
  const merged = (): readonly Offer[] => [...offers, offerTools([tool('own', () => '')])];
  const [one, other] = [await connected(merged()), await connected(merged())];
  for (const remote of [one, other]) expect((await once(tools(remote).list())).length).toBe(21);
  await inner.close();
  await other.close();
  expect(processMemory().heldBytes).toBeGreaterThan(4_000_000);
  await one.close();
  await vi.waitUntil(() => processMemory().heldBytes === 0);
});

it('the lists of a lost server are dropped where the memory does not suffice', async () => {
  const { inner, remote } = await listed();
  leaveMemory(processMemory(), 1_000_000);
  await inner.close();
  expect(await once(tools(remote).list())).toEqual([]);
});
