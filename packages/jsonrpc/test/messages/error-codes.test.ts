import { expect, it } from 'vitest';
import * as jsonrpc from '../../src/index.js';
import { isReservedErrorCode, META_KEYS } from '../../src/internal.js';

it('has the codes of the specification', () => {
  const { PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR } = jsonrpc;
  const standard = [PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR];
  expect(standard).toEqual([-32700, -32600, -32601, -32602, -32603]);
  const { HEADER_MISMATCH, MISSING_REQUIRED_CLIENT_CAPABILITY, UNSUPPORTED_PROTOCOL_VERSION, OVERLOADED } =
    jsonrpc;
  expect([HEADER_MISMATCH, MISSING_REQUIRED_CLIENT_CAPABILITY, UNSUPPORTED_PROTOCOL_VERSION]).toEqual([
    -32020, -32021, -32022,
  ]);
  expect(OVERLOADED).toBe(-31001);
});

it.each([
  [-32769, false],
  [-32768, true],
  [-32000, true],
  [-31999, false],
  [jsonrpc.HEADER_MISMATCH, true],
  [jsonrpc.OVERLOADED, false],
  [0, false],
])('reserves %d: %s', (code, reserved) => {
  expect(isReservedErrorCode(code)).toBe(reserved);
});

it('keeps the names of _meta frozen and inside the namespace of the protocol', () => {
  expect(Object.isFrozen(META_KEYS)).toBe(true);
  for (const [key, name] of Object.entries(META_KEYS)) expect(name).toBe(`io.modelcontextprotocol/${key}`);
  expect(Object.keys(META_KEYS)).toHaveLength(6);
});
