import { describe, expect, it } from 'vitest';
import { targetName, targetParams, decodeHeaderValue } from '../../src/internal.js';

describe('nameOf', () => {
  it.each([
    ['tools/call', { name: 'add', uri: 'a://b' }, 'add'],
    ['prompts/get', { name: '' }, ''],
    ['resources/read', { name: 'add', uri: 'a://b' }, 'a://b'],
    ['tools/call', { name: 7 }, undefined],
    ['tools/call', undefined, undefined],
    ['tools/list', { '': 'surprise', name: 'add' }, undefined],
    ['constructor', { name: 'add' }, undefined],
  ])('of %s with %j is %j', (method, params, name) => {
    expect(targetName(method, params)).toBe(name);
    if (name !== undefined) expect(targetParams.has(method)).toBe(true);
  });
});

describe('unwrapped', () => {
  it.each([
    ['plain', 'plain'],
    ['', ''],
    ['=?base64?w7w=?=', 'ü'],
    ['=?base64??=', ''],
    // Shorter than its two ends together.
    ['=?base64?=', '=?base64?='],
    ['=?base64?w7w=?= ', '=?base64?w7w=?= '],
    ['=?BASE64?w7w=?=', '=?BASE64?w7w=?='],
    ['=?base64?77u/eA==?=', '\ufeffx'],
    ['=?base64?w7w?=', undefined],
    ['=?base64?w-w=?=', undefined],
    ['=?base64?w===?=', undefined],
    // No UTF-8.
    ['=?base64?/w==?=', undefined],
  ])('%j is %j', (value, text) => expect(decodeHeaderValue(value)).toBe(text));
});
