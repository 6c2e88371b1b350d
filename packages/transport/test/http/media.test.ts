import { expect, it } from 'vitest';
import { isJson, isPlain, takesBoth, takesEvents } from '../../src/internal.js';

it.each([
  [undefined, false],
  ['text/event-stream', true],
  ['TEXT/Event-Stream', true],
  ['text/*', true],
  ['*/*', true],
  ['application/json', false],
  ['text/html, text/event-stream;charset=utf-8', true],
  ['text/event-stream;q=0', false],
  ['text/event-stream; q=0.000', false],
  ['text/event-stream;q=0.1', true],
  // The most specific range decides, in any order.
  ['text/event-stream;q=0, text/*, */*', false],
  ['*/*;q=0, text/*;q=0, text/event-stream', true],
  ['text/*;q=0, */*', false],
  ['*/*;q=0, text/*', true],
])('an Accept of %j takes events: %s', (accept, expected) => {
  expect(takesEvents(accept)).toBe(expected);
});

it.each([
  [undefined, false],
  ['application/json, text/event-stream', true],
  ['text/event-stream, application/json', true],
  ['application/json', false],
  ['text/event-stream', false],
  ['application/*;q=0, */*', false],
])('an Accept of %j takes both: %s', (accept, expected) => {
  expect(takesBoth(accept)).toBe(expected);
});

it.each([
  [undefined, false],
  ['application/json', true],
  ['Application/JSON; Charset="UTF-8"', true],
  ['application/json; profile=x; charset=us-ascii', true],
  ['application/json; charset=latin1', false],
  ['text/json', false],
])('a Content-Type of %j is JSON: %s', (type, expected) => {
  expect(isJson(type)).toBe(expected);
});

it.each([
  [undefined, true],
  ['', true],
  [' Identity ', true],
  ['gzip', false],
])('a Content-Encoding of %j is plain: %s', (encoding, expected) => {
  expect(isPlain(encoding)).toBe(expected);
});
