import { expect, it } from 'vitest';
import { decode } from '../../src/index.js';

/** The id that the error of a message nested too deeply names. */
function respondsTo(member: string): unknown {
  const deep = '['.repeat(200) + ']'.repeat(200);
  try {
    return decode(`{"jsonrpc":"2.0",${member},"result":${deep}}`);
  } catch (error) {
    return (error as { readonly respondsTo?: unknown }).respondsTo;
  }
}

it.each(['"id":7', '"id" :7', '"id": 7', '"id"\t\n\r : \t\n\r7'])('%j names the request 7', (member) => {
  expect(respondsTo(member)).toBe(7);
});

// The first character after the space is the nearest that must not pass for white space.
it.each(['"id"!:7', '"id":!7', '"id" !:7', '"id": !7'])('%j names no request', (member) => {
  expect(respondsTo(member)).toBeUndefined();
});
