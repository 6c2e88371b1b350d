import { expect, it, onTestFinished } from 'vitest';
import { defineServer } from '@rxmcp/core';
import { connectedPair } from '@rxmcp/testing';
import { offerPrompts, prompt, prompts } from '../src/index.js';

const review = prompt(
  'review',
  { arguments: [{ name: 'language', required: true }, { name: 'tone' }] },
  ({ language, tone }) => `Review this ${language}, ${tone ?? 'kindly'}.`,
);
const plain = prompt('plain', () => 'Go on.');
const server = defineServer({
  info: { name: 'test', version: '1.0.0' },
  offers: [offerPrompts([review]), offerPrompts([plain])],
});

it('a prompt that both sides share, or that the type of the server has, checks its arguments', async () => {
  const { remote } = await connectedPair({ server, onCleanup: onTestFinished });
  const said = async (result: Promise<unknown> | PromiseLike<unknown>) => JSON.stringify(await result);
  expect(await said(prompts(remote).get(review, { language: 'TypeScript' }))).toContain('TypeScript, kindly');
  const typed = prompts<typeof server>(remote);
  expect(await said(typed.get('review', { language: 'C', tone: 'briefly' }))).toContain('C, briefly');
  expect(await said(typed.get('plain'))).toContain('Go on.');
  // @ts-expect-error the language is missing
  await expect(typed.get('review', { tone: 'briefly' })).rejects.toMatchObject({ code: -32602 });
  // @ts-expect-error there is no such prompt
  await expect(typed.get('revue', { language: 'C' })).rejects.toThrow('unknown prompt "revue"');
});

it('says what a prompt lacks', () => {
  expect(() => prompt('review', {} as never)).toThrow(
    new TypeError(`prompt "review" needs a handler: prompt('review', { arguments }, (args) => ...)`),
  );
  expect(() => prompt('review', { argsSchema: {} } as object, () => '')).toThrow(
    new TypeError('prompt "review": unknown option "argsSchema", did you mean "arguments"?'),
  );
});
