import { expect, it, vi } from 'vitest';
import { BodyReader, type BodySource } from '../../src/http/body-reader.js';
import { MemoryBudget } from '../../src/index.js';

const kibibyte = 1_024;

/** Reads a body in these pieces; returns what each charge was, and what is held at the end. */
function read(pieces: readonly number[], declared: number | undefined): [charges: number[], held: number] {
  const budget = new MemoryBudget({ maxBytes: 1_024 * kibibyte });
  const charge = vi.spyOn(budget, 'tryCharge');
  const source = { holder: 'address 1', reader: undefined, textOf: () => '', stopReading: () => undefined };
  const taker = { body: vi.fn(), unreadable: vi.fn(), disconnected: vi.fn() };
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
