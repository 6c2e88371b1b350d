import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typedArguments } from '../src/call-arguments/typed.js';
import { checkWords, givenArguments } from '../src/call-arguments/words.js';
import { UsageError } from '@rxmcp/app-serving/usage-error';
import { atTerminal } from '../../../vitest.terminal.js';
import { useCli } from './cli.js';
import { tempFolder } from './temp-folder.js';

const { run, served, program } = useCli();

const typed = async (...words: string[]): Promise<{ code: number | null; text: unknown; stderr: string }> => {
  const { code, lines, stderr } = await run(['call', 'typed', ...words, ...(await served())]);
  const [result] = lines as [{ content: [{ text: string }] }?];
  return { code, text: result === undefined ? undefined : JSON.parse(result.content[0].text), stderr };
};

describe('arguments of call', () => {
  it('get the types of the schema', async () => {
    const words = ['count=3', 'label=red', 'deep=true', 'names=Ada', 'names=Bob', 'place:={"x":1}'];
    expect(await typed(...words)).toMatchObject({
      code: 0,
      text: { count: 3, label: 'red', deep: true, names: ['Ada', 'Bob'], place: { x: 1 } },
    });
  });

  it('are read from files, JSON and standard input, the later one last', async () => {
    const file = join(await tempFolder(), 'data');
    await writeFile(file, Buffer.from([0xff, 0x00]));
    const words = ['call', 'typed', '{"count":1,"label":"red"}', '-', `data=@${file}`, ...(await served())];
    const { code, lines } = await run(words, { input: '{"count":2}\n' });
    const [{ content }] = lines as [{ content: [{ text: string }] }];
    expect(JSON.parse(content[0].text)).toEqual({ count: 2, label: 'red', data: '/wA=' });
    expect(code).toBe(0);
  });

  it.each([
    ['count=many', '/count must be integer, got "many"'],
    ['count=0', '/count must be at least 1, got 0'],
    ['names=Ada Lovelace', '/names/0 must have at most 5 characters, got "Ada Lovelace"'],
    ['label=blue', '/label must be one of "red", "green", got "blue"'],
  ])('%s names the place, what is expected and what is there', async (word, problem) => {
    const others = ['count=1', 'label=red'].filter((one) => !word.startsWith(one.slice(0, 5)));
    const { code, stderr } = await typed(...others, word);
    expect(stderr).toContain(`calling "typed" failed: ${problem}`);
    expect(code).toBe(2);
  });

  it.each([
    ['a missing one', ['label=red'], 'must have "count"'],
    ['a misspelled one', ['cuont=1', 'label=red'], '"typed" has no argument "cuont". Did you mean count?'],
    [
      'a file that is not there',
      ['count=@none'],
      'the file none of the argument "count" cannot be read: ENOENT',
    ],
    [
      'a number that JSON cannot hold',
      ['place:={"x":12345678901234567890}'],
      'the number 12345678901234567890',
    ],
    ['a number beyond those of JSON', ['count=1e999'], 'the number 1e999 cannot be sent exactly'],
    ['a long number', ['count=9007199254740993'], 'the number 9007199254740993 cannot be sent exactly'],
    ['invalid JSON', ['count:={'], 'the argument "count" is not valid JSON'],
    ['a word of no form', ['count'], '"count" is not an argument. Write NAME=VALUE, NAME:=JSON'],
    [
      'a command without --',
      ['node', 'x.mjs'],
      'TARGET is the last word, and a command that starts a server stands after --',
    ],
  ])('%s ends with 2', async (_what, words, problem) => {
    const { code, stderr } = await typed(...words);
    expect(stderr).toContain(problem);
    expect(code).toBe(2);
  });

  it.each([
    ['count=1 count:=2 count=3', { count: 3 }],
    ['names=a names:=["b"]', { names: ['b'] }],
    ['names:=["a"] names=b names=c', { names: ['b', 'c'] }],
    ['names=a names:=["b"] names=c', { names: ['c'] }],
    ['{"count":1,"count":2} {"label":"green"}', { count: 2, label: 'green' }],
  ])('of one name the later one counts: %s', async (words, wanted) => {
    const { text, stderr } = await typed('count=1', 'label=red', ...words.split(' '));
    expect(text, stderr).toEqual({ count: 1, label: 'red', ...wanted });
  });

  it.each([
    ['JSON', ['{"count":"many","label":"red"}'], ''],
    ['JSON values', ['count:="many"', 'label=red'], ''],
    ['standard input', ['-'], '{"count":"many","label":"red"}'],
    ['no words', [], ''],
  ])('that misfit the schema are not sent: %s', async (_what, words, input) => {
    const journal = join(await tempFolder(), 'journal');
    const { code, stderr } = await run(['call', 'typed', ...words, '--debug', ...(await served(journal))], {
      input,
    });
    expect(stderr).toMatch(
      /calling "typed" failed: (?:\/count must be integer, got "many"|the arguments must have)/,
    );
    expect(stderr).not.toContain('"method":"tools/call"');
    expect(code).toBe(2);
  });

  it('that the schema does not list are sent, and named', async () => {
    const { code, lines, stderr } = await run([
      'call',
      'open',
      'city=Oslo',
      'zoom=3',
      'mood=good',
      ...(await served()),
    ]);
    expect(stderr).toContain(
      '"open" does not list the argument zoom, mood, and may ignore it; its arguments: city, days\n',
    );
    expect(lines).toMatchObject([{ content: [{ text: '{"city":"Oslo","zoom":"3","mood":"good"}' }] }]);
    expect(code).toBe(0);
  });

  it.each([
    ['freely', ''],
    ['who', '"who" does not list the argument zoom, and may ignore it; its arguments: none\n'],
  ])('are named unless the schema allows others: %s', async (tool, said) => {
    const { stderr } = await run(['call', tool, 'zoom=3', ...(await served())]);
    expect(stderr).toBe(said);
  });

  it('are sent unchecked where the server has no such tool', async () => {
    const { code, stderr } = await run(['call', 'none', 'a=1', ...(await served())]);
    expect(stderr).toContain('the server answered error');
    expect(code).toBe(1);
  });

  it('that are missing are asked for at a terminal', async () => {
    const typedLines = [
      ['count (integer): ', 'x\n'],
      ['It must be', '2\n'],
      ['label (red | green): ', 'green\n'],
    ] as const;
    const { shown, code } = await atTerminal(program('call', 'typed', ...(await served())), {
      typed: typedLines,
    });
    expect(shown).toContain('--- "typed" needs arguments:\n');
    expect(shown).toContain('  | How many?\n  | --- forged\n');
    expect(shown).toContain('"count":2');
    expect(code).toBe(0);
  });
});

describe('arguments of prompt and complete', () => {
  it('are strings', async () => {
    const { lines } = await run(['prompt', 'greet', 'who=Ada=1', ...(await served())]);
    expect(lines).toMatchObject([{ messages: [{ content: { text: 'Greet Ada=1.' } }] }]);
    const { code, stderr } = await run(['prompt', 'greet', 'who:=1', ...(await served())]);
    expect(stderr).toContain('the argument "who" must be a string, got 1');
    expect(code).toBe(2);
  });

  it.each([
    ['woh=Ada', '"greet" has no argument "woh". Did you mean who?', 2],
    ['mood=good', '"greet" does not list the argument mood, and may ignore it; its arguments: who', 0],
  ])('are those of the prompt: %s', async (word, said, exit) => {
    const { code, stderr } = await run([
      'prompt',
      'greet',
      word,
      ...(exit === 0 ? ['who=Ada'] : []),
      ...(await served()),
    ]);
    expect(stderr).toContain(said);
    expect(code).toBe(exit);
  });

  it('complete takes the last one as typed so far', async () => {
    const { lines } = await run(['complete', 'greet', 'who=A', ...(await served())]);
    expect(lines).toMatchObject([{ completion: { values: ['Ada', 'Alan'] } }]);
  });

  it('are asked for at a terminal, with suggestions of the server', async () => {
    const { shown, code } = await atTerminal(program('prompt', 'greet', ...(await served())), {
      typed: [['who such as Ada, Alan, Bob: ', 'Eve\n']],
    });
    expect(shown).toContain('Greet Eve.');
    expect(code).toBe(0);
  });
});

describe('words', () => {
  const given = async (word: string): Promise<unknown> => {
    checkWords([word]);
    return typedArguments(await givenArguments([word], async () => '{}'), {});
  };

  it('NAME=VALUE is the text after the first equals sign', async () => {
    const name = fc.stringMatching(/^[A-Za-z_][\w.-]{0,8}$/);
    await fc.assert(
      fc.asyncProperty(name, fc.string(), async (key, value) => {
        fc.pre(!value.startsWith('@'));
        expect(await given(`${key}=${value}`)).toEqual({ [key]: value });
      }),
    );
  });

  it('NAME:=JSON is any JSON value', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const json = JSON.stringify(value);
        expect(await given(`a:=${json}`)).toEqual({ a: JSON.parse(json) as unknown });
      }),
    );
  });

  it('any word is an argument, or an error about it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (word) => {
        await given(word).catch((error: unknown) => expect(error).toBeInstanceOf(UsageError));
      }),
    );
  });
});
