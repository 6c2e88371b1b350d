import { connect, createServer } from 'rxmcp';
import { memory } from 'rxmcp/memory';
import { resource } from 'rxmcp/resources';
import { expect, it, onTestFinished } from 'vitest';
import { autoContext } from '../src/chat/context.js';

const { signal } = new AbortController();

it('--auto takes what is for the model, by priority, then time, then size, as far as it fits', async () => {
  const resources = [
    resource('test://plain', {}, 'plain'),
    resource('test://large', { size: 2_000 }, 'l'.repeat(2_000)),
    resource('test://small', { size: 5 }, 'small'),
    resource('test://old', { annotations: { lastModified: '2026-01-01T00:00:00Z' } }, 'old'),
    resource('test://new', { annotations: { lastModified: '2026-02-01T00:00:00Z' } }, 'new'),
    resource('test://first', { annotations: { priority: 1 } }, 'first'),
    resource('test://user', { annotations: { priority: 1, audience: ['user'] } }, 'for people'),
    resource('test://vast', { annotations: { priority: 1 }, size: 900_000 }, 'not read'),
    resource('test://hidden', { annotations: { priority: 1 } }, 'h'.repeat(9_000)),
  ];
  const link = memory();
  const handle = link.serve(createServer({ name: 'desk', version: '1.0.0', resources }));
  const remote = await connect(link);
  onTestFinished(async () => {
    await remote.close();
    await handle.close();
  });
  const chosen = await autoContext([{ name: 'desk', identity: 'desk', remote }], 400, signal);
  const uris = chosen.events.map((event) => (event.type === 'context' ? event.uri : event.type));
  expect(uris).toEqual(['test://first', 'test://new', 'test://old', 'test://small', 'test://plain']);
  expect(chosen.text).not.toContain('for people');
});
