import { describe, expect, it } from 'vitest';
import { detectEra, isBatch, META_KEYS } from '../../src/internal.js';

const modern = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/list',
  params: { _meta: { [META_KEYS.protocolVersion]: '2026-07-28' } },
};
const opens = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } };
const plain = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

describe('detectEra', () => {
  it.each([
    ['modern', modern],
    ['modern', { jsonrpc: '2.0', method: 'notifications/cancelled', params: modern.params }],
    ['modern', { ...modern, method: 'initialize' }],
    ['legacy', opens],
    ['unknown', plain],
    ['unknown', { ...modern, method: undefined }],
    ['unknown', { jsonrpc: '2.0', id: 1, result: { _meta: modern.params._meta } }],
    ['unknown', { ...plain, params: { _meta: { [META_KEYS.protocolVersion]: 20260728 } } }],
    ['unknown', { ...plain, params: { _meta: null } }],
    ['unknown', { ...plain, params: 'x' }],
    ['unknown', { ...plain, method: 'Initialize' }],
    ['unknown', null],
    ['unknown', 'initialize'],
    ['unknown', []],
    ['modern', [plain, opens, modern]],
    ['modern', [modern, opens]],
    ['legacy', [plain, opens, null]],
    ['unknown', [plain, 1, [modern]]],
  ])('%s: %j', (claim, value) => {
    expect(detectEra(value)).toBe(claim);
  });

  it('knows a batch by its array alone', () => {
    expect([[], [1], {}, null, 'x', { length: 0 }].map(isBatch)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
