import { describe, expect, it } from 'vitest';
import { detectEra, isBatch, META_KEYS } from '../src/index.js';

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
    ['opens', opens],
    ['none', plain],
    ['none', { ...modern, method: undefined }],
    ['none', { jsonrpc: '2.0', id: 1, result: { _meta: modern.params._meta } }],
    ['none', { ...plain, params: { _meta: { [META_KEYS.protocolVersion]: 20260728 } } }],
    ['none', { ...plain, params: { _meta: null } }],
    ['none', { ...plain, params: 'x' }],
    ['none', { ...plain, method: 'Initialize' }],
    ['none', null],
    ['none', 'initialize'],
    ['none', []],
    ['modern', [plain, opens, modern]],
    ['modern', [modern, opens]],
    ['opens', [plain, opens, null]],
    ['none', [plain, 1, [modern]]],
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
