import { describe, expect, it, vi } from 'vitest';
import { canonical } from '../src/keywords/canonical.js';
import { checkerOf, compile } from '../src/compile/compile.js';
import { SchemaDocument } from '../src/schema/document.js';
import { formats } from '../src/keywords/formats.js';
import { jsonSchema } from '../src/index.js';
import type { Node } from '../src/compile/node.js';
import { settingsOf } from '../src/schema/options.js';
import { matcherOf } from '../src/pattern/matcher.js';
import { BudgetExceededError, ValidationRun } from '../src/compile/validation-run.js';
import { shown } from '../src/schema/schema-error.js';
import { givenUp, holds, problems } from './checking.js';

const maxSteps = 300_000;
const tooMuch = givenUp(maxSteps);
const times = <T>(count: number, one: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => one(i));

/** How often something is quoted meanwhile. */
function quotes(work: () => void): number {
  const spied = vi.spyOn(JSON, 'stringify');
  try {
    work();
    return spied.mock.calls.length;
  } finally {
    spied.mockRestore();
  }
}

describe('the format regex', () => {
  it('row 64: is read by a built-in parser, which pays for each character', () => {
    expect(problems({ format: 'regex' }, '\\p{L}'.repeat(40_000), { maxSteps })).toEqual(tooMuch);
    expect(problems({ format: 'regex' }, '\\p{L}'.repeat(10_000), { maxSteps })).toEqual([]);
  });

  it('row 64: gives only short ones to the engine, and pays for them', () => {
    expect(holds({ format: 'regex' }, `(?<=a)${'b'.repeat(250)}`)).toBe(true);
    expect(holds({ format: 'regex' }, `(?<=a)${'b'.repeat(251)}`)).toBe(false);
    const run = new ValidationRun(10_000);
    expect(() => formats.get('regex')?.(`(?<=a)${'b'.repeat(250)}`, run)).toThrow('not checked to its end');
  });

  it.each(['(?<=a)b', '(a)\\1', '(?<n>a)\\k<n>', '^[a-z]+$', '[\\w-.]'])('accepts %s', (text) => {
    expect(holds({ format: 'regex' }, text)).toBe(true);
  });

  it.each(['(a', 'a**', '\\Z', '[b-a]', '^\\S(|(.|\\n)*\\S)\\Z'])('rejects %s', (text) => {
    expect(holds({ format: 'regex' }, text)).toBe(false);
  });
});

describe('a pattern', () => {
  const cost = (pattern: string, text: string): number => {
    let spent = 0;
    matcherOf(pattern, '')(text, { spend: (steps) => void (spent += steps) });
    return spent;
  };

  it('row 64: pays for a lookahead that ends early', () => {
    const ways = times(18, () => `.${'(?:|)'.repeat(20)}`.repeat(13)).join('|');
    const pattern = `^(?:(?=(?:${ways})b)|a)*c`;
    expect(cost(pattern, 'a'.repeat(50))).toBeGreaterThan(100_000);
    expect(problems({ pattern }, 'a'.repeat(100_000), { maxSteps })).toEqual(tooMuch);
  });

  it('row 64: pays for each match, however soon it fails', () => {
    expect(cost('^b', 'a')).toBeGreaterThan(0);
    expect(cost('^(?:.?){5}1$', 'xxxxx1y')).toBeGreaterThan(10);
    const patternProperties = Object.fromEntries(times(900, (i) => [`^(?:.?){5}${i}$`, true]));
    const value = Object.fromEntries(times(1_200, (i) => [`xxxxx${i}y`, 1]));
    expect(problems({ patternProperties, additionalProperties: true }, value, { maxSteps })).toEqual(tooMuch);
  });

  it.each(['(?:)', 'b{0}', '(?:(?:))', '()*'])(
    'row 64: counts the empty part %s in what is repeated',
    (empty) => {
      const source = `(?:a${empty.repeat(5_000)}){9900}`;
      expect(() => matcherOf(source, '')).toThrow('make more than');
      expect(matcherOf(`(?:a${empty}){3}$`, '')('aaa', { spend: () => undefined })).toBe(true);
    },
  );
});

describe('a property of Unicode', () => {
  const work = (pattern: string): number => {
    let spent = 0;
    matcherOf(pattern, '')('\u{1F600}'.repeat(1_000), { spend: (steps) => void (spent += steps) });
    return spent;
  };
  const sixteen = ['L', 'M', 'N', 'P', 'Z', 'C', 'Lu', 'Ll', 'Lt', 'Lm', 'Lo', 'Nd', 'Nl', 'No', 'Sm', 'So'];
  const all = sixteen.map((each) => `\\p{${each}}`).join('');

  it.each([
    `^[${all}]*$`,
    `^[^${all}]{0,1000}$`,
    `^(?:${sixteen.map((each) => `\\p{${each}}`).join('|')})*$`,
  ])('row 64: is paid for by each that is asked in %s', (pattern) => {
    expect(work(pattern)).toBeGreaterThan(pattern.includes('^[^') ? 16 : 16_000);
  });
});

describe('the members of an object', () => {
  const large = Object.fromEntries(times(10_000, (i) => [`k${i}`, 1]));

  it('row 64: are listed once, however many keywords need them, and each is paid for', () => {
    const listed = vi.spyOn(Object, 'keys');
    const schema = { allOf: times(20, () => ({ minProperties: 1, properties: { a: true } })) };
    const standard = jsonSchema(schema)['~standard'];
    listed.mockClear();
    expect(standard.validate(large)).toEqual({ value: large });
    expect(listed.mock.calls.filter(([of]) => (of as unknown) === large)).toHaveLength(1);
    listed.mockRestore();
    expect(problems({ minProperties: 1 }, large, { maxSteps: 10_000 })).toEqual(givenUp(10_000));
  });

  it('that are undefined are in no list, nor where it is stored', () => {
    const value = { ...large, none: undefined };
    expect(problems({ allOf: times(3, () => ({ maxProperties: 10_000 })) }, value)).toEqual([]);
  });
});

describe('a value of an ordinary kind', () => {
  it('is checked to its end, even if it is large', () => {
    const text = { type: 'string' };
    const row = {
      type: 'object',
      additionalProperties: false,
      required: ['id'],
      properties: {
        id: { type: 'integer' },
        name: text,
        at: { type: 'string', format: 'date-time' },
        tags: { type: 'array', items: text },
        who: { type: 'object', properties: { first: text, last: text, mail: text } },
      },
    };
    const who = { first: 'a', last: 'b', mail: 'a@b.example' };
    const rows = times(16_000, (id) => {
      return { id, name: `n${id}`, at: '2026-07-28T00:00:00Z', tags: ['a', 'b', 'c'], who };
    });
    expect(JSON.stringify(rows).length).toBeGreaterThan(2_000_000);
    expect(problems({ type: 'array', items: row }, rows)).toEqual([]);
    expect(problems({ pattern: '^[A-Za-z0-9+/]*={0,2}$' }, `${'aB3/'.repeat(50_000)}==`)).toEqual([]);
  });
});

describe('the result of a check', () => {
  it('has a code where the value was not checked to its end', () => {
    const { issues } = jsonSchema({ items: { type: 'string' } }, { maxSteps: 3 })['~standard'].validate([
      1,
      '',
      '',
    ]);
    expect(issues).toEqual([
      { message: 'must be string', path: [0] },
      {
        message: 'was not checked to its end, which takes more than 3 steps',
        path: [],
        code: 'BUDGET_EXCEEDED',
      },
    ]);
    const deep = JSON.parse('['.repeat(2_000) + ']'.repeat(2_000)) as unknown;
    expect(jsonSchema({ items: { $ref: '#' } })['~standard'].validate(deep).issues).toEqual([
      expect.objectContaining({ code: 'BUDGET_EXCEEDED' }),
    ]);
  });

  it('row 64: makes no text when no problem is reported', () => {
    const run = new ValidationRun(1_000_000);
    let made = 0;
    const text = (): string => `${(made += 1)}`;
    run.silently(() => run.wrong(text));
    expect(made).toBe(0);
    for (let i = 0; i < 20; i += 1) run.wrong(text);
    expect(made).toBe(10);
  });

  it('row 64: is cut before it is quoted', () => {
    const long = 'n'.repeat(60_000);
    const shownName = `"${'n'.repeat(98)}…`;
    expect(shown(long)).toBe(shownName);
    expect(shown('\n'.repeat(60))).toBe(`"${'\\n'.repeat(49)}…`);
    expect(problems({ required: [long] }, {})).toEqual([`must have ${shownName}`]);
    expect(problems({ dependentRequired: { a: [long] } }, { a: 1 })).toEqual([
      `must have ${shownName}, since it has "a"`,
    ]);
    expect(problems({ propertyNames: false }, { [long]: 1 })).toEqual([
      `must have no member ${shownName}: its name does not match`,
    ]);
  });

  it('row 64: is not quoted when no problem is reported', () => {
    const long = 'k'.repeat(1_000);
    const any = (inner: Record<string, unknown>) =>
      jsonSchema({ anyOf: [...times(50, () => inner), true] })['~standard'];
    const checks = [
      [any({ propertyNames: false }), { [long]: 1 }],
      [any({ required: [long] }), {}],
      [any({ dependentRequired: { a: [long] } }), { a: 1 }],
    ] as const;
    const calls = quotes(() => {
      for (const [standard, value] of checks) standard.validate(value);
    });
    expect(calls).toBe(0);
  });
});

describe('equality', () => {
  const spent = (value: unknown): number => {
    let steps = 0;
    const run = new ValidationRun(1e9);
    vi.spyOn(run, 'spend').mockImplementation((more) => void (steps += more));
    canonical(value, run);
    return steps;
  };

  it('row 64: pays for names as for texts', () => {
    expect(spent({ ['k'.repeat(64_000)]: 1 })).toBeGreaterThan(1_000);
    expect(
      problems({ anyOf: times(1_500, () => ({ enum: [{}] })) }, { ['k'.repeat(4e6)]: 1 }, { maxSteps }),
    ).toEqual(tooMuch);
  });

  it('row 64: pays for the text of nested problems at each level', () => {
    const nested = (levels: number, inner: unknown): unknown =>
      levels === 0 ? inner : [nested(levels - 1, inner)];
    const text = 'x'.repeat(64_000);
    expect(spent(nested(100, text))).toBeGreaterThan(spent(text) + 100 * 200);
  });

  it('row 64: pays for a text before it is quoted', () => {
    const run = new ValidationRun(10);
    let why: unknown;
    const calls = quotes(() => {
      try {
        canonical('x'.repeat(64_000), run);
      } catch (error) {
        why = error;
      }
    });
    expect([calls, why]).toEqual([0, expect.any(BudgetExceededError)]);
  });
});

describe('multipleOf', () => {
  it('row 64: pays for the digits of its numbers', () => {
    const schema = { items: { allOf: times(100, () => ({ multipleOf: 5e-324 })) } };
    expect(
      problems(
        schema,
        times(20, () => 1.7976931348623157e308),
        { maxSteps },
      ),
    ).toEqual(tooMuch);
    expect(problems(schema, [1.7976931348623157e308])).toEqual([]);
    expect(
      problems(
        { items: { multipleOf: 0.01 } },
        times(50_000, (i) => i / 100),
      ),
    ).toEqual([]);
  });
});

describe('the stored parts of a schema', () => {
  it('row 66: late references of one name share what they may lead to', () => {
    const raw = {
      allOf: times(90, () => ({ $dynamicRef: 'i0#x' })),
      $defs: Object.fromEntries(times(90, (i) => [`d${i}`, { $id: `i${i}`, $dynamicAnchor: 'x' }])),
    };
    const seen = new Set<Node>();
    const waiting = [compile(new SchemaDocument(raw, '2020-12', settingsOf({}, 'assertion')))];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (seen.has(node)) continue;
      seen.add(node);
      waiting.push(...node.beside);
    }
    const links = [...seen].reduce((sum, node) => sum + node.beside.length, 0);
    expect(links).toBeLessThan(4 * 90);
    expect(problems(raw, 1)).toEqual([]);
  });

  it('row 66: its names count, in full', () => {
    const weigh = (base: string): number =>
      checkerOf(
        {
          $id: base,
          $defs: Object.fromEntries(times(500, (i) => [`d${i}`, { $id: `i${i}`, $anchor: 'a' }])),
        },
        settingsOf({}, 'assertion'),
      ).weightBytes;
    const more = weigh(`http://x/${'a/'.repeat(1_000)}`) - weigh('http://x/');
    expect(more).toBeGreaterThan(500 * 2_000);
  });
});
