import { expect, it } from 'vitest';
import { describeFault } from '../../src/server/failed-handlers.js';

const cause = Object.assign(new Error('broken'), {
  stack: 'Error: broken\nsecond line\n    at here (file.ts:1)\n    at \u001b[31mthere (file.ts:2)',
});
const failed = { code: 'HANDLER_FAILED', message: 'tool "a"', reference: 'r1', cause } as const;

it('a failed handler is printed for each message, with its reference and its stack', () => {
  const [key, note] = describeFault(failed, 0);
  expect(key).toBe('HANDLER_FAILED tool "a"');
  const [what, ...lines] = note.split('\n');
  expect(what).toMatch(/^\(reference r1; the client reads only the reference/);
  expect(lines[0]?.trim()).toBe('at here (file.ts:1)');
  expect(lines).toHaveLength(2);
  expect(note).not.toContain('\u001b');
  expect(describeFault({ ...failed, cause: 'text' }, 0)[1]).not.toContain('\n');
});

it('after 256 of them only one more of each code is printed', () => {
  expect(describeFault(failed, 255)[0]).toBe('HANDLER_FAILED tool "a"');
  expect(describeFault(failed, 256)[0]).toBe('HANDLER_FAILED');
  const repeated = { code: 'REPEATED_BEFORE_ASK', message: 'sent "b" again' } as const;
  expect(describeFault(repeated, 255)[0]).toBe('REPEATED_BEFORE_ASK sent "b" again');
  expect(describeFault(repeated, 256)[0]).toBe('REPEATED_BEFORE_ASK');
  expect(describeFault({ code: 'INVALID_MESSAGE', message: 'no' }, 0)[0]).toBe('INVALID_MESSAGE');
});
