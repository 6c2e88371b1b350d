import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decode, messageKind } from '../../src/index.js';
import { rounds } from '../../../../vitest.rounds.js';

const envelope = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'];

function twice(name: string): unknown {
  return expect.objectContaining({
    code: 'INVALID_MESSAGE',
    rpcCode: -32600,
    message: `the member "${name}" occurs twice`,
  });
}

describe('duplicate envelope members', () => {
  it.each(envelope)('row 17: refuses a second "%s", spelled plainly or with escapes', (name) => {
    const escaped = `\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}`;
    for (const other of [
      name,
      escaped,
      escaped.toUpperCase().replace('\\U', '\\u').slice(0, 6) + name.slice(1),
    ]) {
      for (const text of [
        `{"${name}":1,"${other}":1}`,
        `{ "${other}" : {"a":[]} , "x":"\\\\", "${name}" :1}`,
        `[{"${name}":1,"x":{},"${other}":1}]`,
      ]) {
        expect(() => decode(text)).toThrow(twice(name));
      }
    }
  });

  it('row 17: leaves equal names elsewhere alone', () => {
    for (const text of [
      '{"id":1,"params":{"id":2,"id":3,"params":{"id":4}}}',
      '{"id":"id","method":"\\"id\\":","params":{"a":"\\u0069d"}}',
      '[{"id":1},{"id":2,"params":[{"id":3}]}]',
      '{"x":1,"x":2,"id":1,"result":{"error":"error","jsonrpc":"jsonrpc"}}',
    ]) {
      expect(decode(text)).toEqual(JSON.parse(text));
    }
  });

  it('row 17: reports the id of a request, unless the id is what occurs twice', () => {
    const refused = (text: string): unknown => {
      try {
        return decode(text);
      } catch (error) {
        return (error as { id?: unknown }).id;
      }
    };
    expect(refused('{"jsonrpc":"2.0","id":0,"method":"a","method":"b"}')).toBe(0);
    expect(refused('{"jsonrpc":"2.0","id":0,"id":0,"method":"a"}')).toBeUndefined();
    expect(refused('{"jsonrpc":"2.0","id":1.5,"method":"a","method":"b"}')).toBeUndefined();
    expect(refused('{"jsonrpc":"2.0","id":1,"result":{},"result":{}}')).toBeUndefined();
  });

  it('row 17: finds every duplicate and invents none', () => {
    const value = fc.constantFrom(
      '1',
      '"id"',
      '"\\"id\\":1"',
      '{"id":1,"id":2}',
      '[{"id":1}]',
      '"\\u0069d"',
      '"\\\\"',
      '{}',
    );
    const name = fc.constantFrom(...envelope, ...envelope, 'Id', 'x', 'id2', '"', '\\');
    const member = fc.tuple(name, value, fc.boolean(), fc.constantFrom('', ' ', '\n\t'));
    fc.assert(
      fc.property(fc.array(member, { maxLength: 6 }), fc.boolean(), (members, batch) => {
        const parts = members.map(
          ([key, json, escape, space]) => `${spell(key, escape)}${space}:${space}${json}`,
        );
        const text = batch ? `[{},{${parts.join(',')}}]` : `{${parts.join(',')}}`;
        const names = members.map(([key]) => key);
        const ofEnvelope = names.filter((key) => envelope.includes(key));
        const attempt = (): unknown => decode(text);
        if (new Set(ofEnvelope).size < ofEnvelope.length) expect(attempt).toThrow(/occurs twice/);
        // Of a name that occurs twice and is written with an escape, engines of 2026 keep now the one value, now the other.
        else if (new Set(names).size < names.length) expect(attempt).not.toThrow();
        else expect(attempt()).toEqual(JSON.parse(text));
      }),
      { numRuns: rounds(5_000) },
    );
  });
});

describe('names that only look like envelope members', () => {
  const variants = (name: string): string[] => [
    name.toUpperCase(),
    name[0]?.toUpperCase() + name.slice(1),
    name.replace(/s/g, '\u017f'),
    `${name}\u0000`,
    `${name} `,
    ` ${name}`,
    `${name}\u200b`,
    name.replace('i', '\u0131'),
    `\ufeff${name}`,
  ];

  it.each(envelope)('row 17: a variant of "%s" binds to nothing', (name) => {
    const whole: Record<string, unknown> = { jsonrpc: '2.0', id: 1, method: 'm', params: {} };
    for (const variant of variants(name).filter((variant) => variant !== name)) {
      const added = decode(JSON.stringify({ ...whole, [variant]: { evil: true } }));
      expect(messageKind(added)).toBe('request');
      expect(added).toMatchObject({ id: 1, method: 'm', params: {} });
      const { jsonrpc, id, method } = decode(JSON.stringify({ [variant]: 'evil' })) as Record<
        string,
        unknown
      >;
      expect([jsonrpc, id, method]).toEqual([undefined, undefined, undefined]);
    }
  });

  it('row 17: 200,000 random names next to the true ones change nothing', () => {
    let seed = 17;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return (seed >>> 8) % below;
    };
    const letters = [
      '',
      '\u0000',
      '\u017f',
      'İ',
      'ı',
      'S',
      ' ',
      '_',
      '\u0301',
      '\\',
      '"',
      'd',
      'ID',
      '\u212a',
    ];
    for (let run = 0; run < 200_000; run++) {
      const name = envelope[random(envelope.length)] ?? '';
      const at = random(name.length + 1);
      const cut = random(2);
      const key = name.slice(0, at) + (letters[random(letters.length)] ?? '') + name.slice(at + cut);
      if (envelope.includes(key)) continue;
      const value = decode(`{"jsonrpc":"2.0",${JSON.stringify(key)}:{"x":1},"method":"m"}`);
      if (messageKind(value) !== 'notification') throw new Error(`${JSON.stringify(key)} binds`);
    }
  });
});

function spell(name: string, escape: boolean): string {
  const quoted = JSON.stringify(name);
  return escape ? quoted.replace(/[a-z]/i, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`) : quoted;
}
