import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { JsonRpcMessage } from '../../src/index.js';
import { decode, EncodedMessage, encode, WireError } from '../../src/index.js';

describe('encode', () => {
  it('returns what decode was given, on one line', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()),
        fc.oneof(fc.integer(), fc.string()),
        (params, id) => {
          const text = encode({ jsonrpc: '2.0', id, method: 'm', params });
          expect(text).not.toMatch(/[\n\r]/);
          expect(encode(decode(text) as JsonRpcMessage)).toBe(text);
        },
      ),
    );
  });

  it('writes a lone surrogate as an escape, so that the bytes are valid UTF-8', () => {
    const text = encode({ jsonrpc: '2.0', method: 'm', params: { half: '\ud800' } });
    expect(text).toContain('\\ud800');
    expect(decode(text)).toEqual({ jsonrpc: '2.0', method: 'm', params: { half: '\ud800' } });
  });

  it('refuses what JSON cannot express with a WireError', () => {
    const cycle: Record<string, unknown> = {};
    cycle.cycle = cycle;
    for (const params of [cycle, { big: 1n }]) {
      const attempt = (): string => encode({ jsonrpc: '2.0', method: 'm', params });
      expect(attempt).toThrow(
        expect.objectContaining({ code: 'INVALID_MESSAGE', rpcCode: -32603, cause: expect.any(TypeError) }),
      );
    }
  });
});

describe('Encoded', () => {
  it('is recognized where it is of another installed copy of the package', async () => {
    vi.resetModules();
    const other = await import('../../src/encoding/encoded-message.js');
    expect(other.EncodedMessage).not.toBe(EncodedMessage);
    expect(encode(new other.EncodedMessage('{"jsonrpc":"2.0","method":"m"}'))).toBe(
      '{"jsonrpc":"2.0","method":"m"}',
    );
  });

  it('is sent as it is, and parsed once', () => {
    const encoded = new EncodedMessage('{ "jsonrpc":"2.0", "method":"m" }');
    expect(encode(encoded)).toBe('{ "jsonrpc":"2.0", "method":"m" }');
    expect(encoded.message).toEqual({ jsonrpc: '2.0', method: 'm' });
    expect(encoded.message).toBe(encoded.message);
  });

  it('parses only on request', () => {
    const broken = new EncodedMessage('no json');
    expect(encode(broken)).toBe('no json');
    expect(() => broken.message).toThrow(SyntaxError);
  });
});

describe('WireError', () => {
  it('is recognised by its brand, whichever copy made it', () => {
    const foreign = Object.assign(new Error('x'), { [Symbol.for('rxmcp.error')]: 'WireError' });
    const other = Object.assign(new Error('x'), { [Symbol.for('rxmcp.error')]: 'TransportError' });
    const all = [new WireError('OVERFLOW', 'x'), foreign, other, new Error('x'), null, 'x'];
    expect(all.map((value) => WireError.is(value))).toEqual([true, true, false, false, false, false]);
  });

  it('knows the request that it answers', () => {
    const responses = (['PARSE_ERROR', 'OVERFLOW', 'TRUNCATED', 'INVALID_MESSAGE', 'TOO_LARGE'] as const).map(
      (code) => new WireError(code, 'x').rpcCode,
    );
    expect(responses).toEqual([-32700, -32700, -32700, -32600, -32600]);
    expect(new WireError('PARSE_ERROR', 'x', { id: 0, rpcCode: -32603 })).toMatchObject({
      id: 0,
      rpcCode: -32603,
    });
    expect('id' in new WireError('PARSE_ERROR', 'x')).toBe(false);
  });
});
