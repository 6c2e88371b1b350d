import { expect, it, onTestFinished, vi } from 'vitest';
import { UsedProofs } from '../src/server/proofs.js';

const soon = (): number => Date.now() + 60_000;

it('a proof is new once until its time, for each caller', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const used = new UsedProofs(10);
  expect(used.isFirst('ada', 'a', soon())).toBe(true);
  expect(used.isFirst('ada', 'a', soon())).toBe(false);
  expect(used.isFirst('eve', 'a', soon())).toBe(true);
  vi.advanceTimersByTime(60_000);
  expect(used.isFirst('ada', 'a', soon())).toBe(true);
  expect(used.isFirst('ada', 'a', soon())).toBe(false);
});

it('a caller with many proofs makes room with its own ones, oldest first', () => {
  const used = new UsedProofs(10);
  for (const proof of ['a', 'b']) used.isFirst('ada', proof, soon());
  for (let count = 0; count < 1_000; count += 1) used.isFirst('eve', String(count), soon());
  for (const proof of ['a', 'b']) expect(used.isFirst('ada', proof, soon())).toBe(false);
  for (const proof of ['999', '992']) expect(used.isFirst('eve', proof, soon())).toBe(false);
  expect(used.isFirst('eve', '991', soon())).toBe(true);
});

it('a caller with few proofs gets room from those with many', () => {
  const used = new UsedProofs(10);
  for (let count = 0; count < 10; count += 1) used.isFirst('eve', String(count), soon());
  for (let count = 0; count < 5; count += 1) {
    expect(used.isFirst('ada', String(count), soon())).toBe(true);
    expect(used.isFirst('ada', String(count), soon())).toBe(false);
  }
  expect(used.isFirst('eve', '4', soon())).toBe(true);
});

it('what has ended makes room first, and is not kept', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const used = new UsedProofs(10);
  for (let count = 0; count < 9; count += 1) used.isFirst('eve', String(count), soon());
  vi.advanceTimersByTime(60_000);
  for (let count = 0; count < 10; count += 1)
    expect(used.isFirst(`caller ${String(count)}`, 'a', soon())).toBe(true);
  for (let count = 0; count < 10; count += 1)
    expect(used.isFirst(`caller ${String(count)}`, 'a', soon())).toBe(false);
});

it('many callers with one proof each make room for another, which costs one of them', () => {
  const used = new UsedProofs(10);
  for (let count = 0; count < 1_000; count += 1) used.isFirst(String(count), 'a', soon());
  expect(used.isFirst('999', 'a', soon())).toBe(false);
  expect(used.isFirst('0', 'a', soon())).toBe(true);
});
