import { expect, it, vi } from 'vitest';
import { BodyReader, type BodySource } from '../src/http/body-reader.js';
import { MemoryBudget } from '../src/index.js';

const kibibyte = 1_024;

/** Reads a body in these pieces; returns what each charge was, and what is held at the end. */
function read(pieces: readonly number[], declared: number | undefined): [charges: number[], held: number] {
  const budget = new MemoryBudget({ maxBytes: 1_024 * kibibyte });
  const charge = vi.spyOn(budget, 'tryCharge');
  const source = { holder: 'address 1', reader: undefined, textOf: () => '', stopReading: () => undefined };
  const taker = { body: vi.fn(), unreadable: vi.fn(), abandoned: vi.fn() };
  const limits = { maxMessageBytes: 512 * kibibyte, budget };
  const reader = BodyReader.begin(source as unknown as BodySource, limits, taker, declared);
  for (const bytes of pieces) reader?.chunk(new Uint8Array(bytes));
  reader?.ended();
  expect(taker.body).toHaveBeenCalledTimes(1);
  return [charge.mock.calls.map(([, bytes]) => bytes), budget.heldBytes];
}

it('does not charge a short body that arrives in one piece', () => {
  expect(read([300], 300)).toEqual([[], 0]);
});

it('charges a body that arrives in pieces, is long, or has no declared length', () => {
  expect(read([200, 100], 300)).toEqual([[200, 100], 0]);
  expect(read([65 * kibibyte], 65 * kibibyte)).toEqual([[65 * kibibyte], 0]);
  expect(read([300], undefined)).toEqual([[300], 0]);
});

it('cuts the connection of a body in many chunks of a few bytes, and releases what was charged', () => {
  const budget = new MemoryBudget({ maxBytes: 1_024 * kibibyte });
  const cut = vi.fn();
  const source = { holder: 'address 1', reader: undefined, textOf: () => '', stopReading: vi.fn(), cut };
  const taker = { body: vi.fn(), unreadable: vi.fn(), abandoned: vi.fn() };
  const limits = { maxMessageBytes: 512 * kibibyte, budget };
  const reader = BodyReader.begin(source as unknown as BodySource, limits, taker, undefined);
  for (let count = 0; count < 1_024; count += 1) reader?.chunk(new Uint8Array(1));
  expect(cut).not.toHaveBeenCalled();
  for (let count = 0; count < 3; count += 1) reader?.chunk(new Uint8Array(1));
  expect(cut).toHaveBeenCalledTimes(1);
  expect(source.stopReading).toHaveBeenCalledTimes(1);
  expect(taker.abandoned).toHaveBeenCalledTimes(1);
  expect(budget.heldBytes).toBe(0);
});

it('reads a body in many chunks of 16 bytes', () => {
  expect(
    read(
      Array.from({ length: 2_000 }, () => 16),
      undefined,
    )[1],
  ).toBe(0);
});
