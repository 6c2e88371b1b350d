import { defineServer } from '@rxmcp/core';
import { redact } from '@rxmcp/core/interceptors';
import { connectedPair } from '@rxmcp/testing';
import { expect, it, onTestFinished } from 'vitest';
import { offerTools, tool, tools } from '../src/index.js';

const texts = (...names: string[]) => ({
  type: 'object' as const,
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});
const user = tool('user', { output: texts('name', 'token') }, () => ({ name: 'ada', token: 'secret' }));
const login = tool('login', { input: texts('password') }, () => 'ok');

async function connected() {
  const server = defineServer({
    info: { name: 'test', version: '1.0.0' },
    offers: [offerTools([user, login])],
    interceptors: [redact({ keys: ['token', 'password'] })],
  });
  return tools((await connectedPair({ server, onCleanup: onTestFinished })).remote);
}

it('redact cleans the text that is made of structured content like the content itself', async () => {
  const { content, structuredContent } = await (await connected()).call('user');
  expect(structuredContent).toEqual({ name: 'ada', token: '[redacted]' });
  expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
});

it('redact keeps the schemas of listed tools', async () => {
  const listed = await (await connected()).list();
  expect(listed.find(({ name }) => name === 'login')?.inputSchema).toMatchObject({
    properties: { password: { type: 'string' } },
  });
  expect(listed.find(({ name }) => name === 'user')?.outputSchema).toMatchObject({
    properties: { token: { type: 'string' } },
  });
});
