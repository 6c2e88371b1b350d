import { memory } from '@rxmcp/memory';
import { tap } from '@rxmcp/transport';
import type { JsonObject } from 'rxmcp';
import { defineClient, defineServer, once } from 'rxmcp';
import { describe, expect, it } from 'vitest';
import { revisions } from '../matrix/revisions.js';
import type { Said } from './conversation.js';
import { checkAll } from './conversation.js';
import { client, info, questions, server } from './rich.js';
import { frameChecker } from './schemas.js';

/** Whatever any revision knows, between two sides that speak one. */
async function converse(version: string): Promise<Said[]> {
  const said: Said[] = [];
  const pair = memory();
  const handle = pair.serve(defineServer({ info, offers: server }));
  const tapped = tap(pair, (event) => {
    if (event.type !== 'sent' && event.type !== 'received') return;
    const frame = JSON.parse(JSON.stringify('message' in event ? event.message : event)) as JsonObject;
    said.push({ by: event.type === 'sent' ? 'client' : 'server', frame });
  });
  const remote = await defineClient({ info, offers: client, versions: [version] }).connect(tapped);
  const ask = (method: string, params: JsonObject = {}): Promise<unknown> =>
    once(remote.request(method, params)).catch((error: unknown) => error);
  for (const kind of ['tools', 'resources', 'resources/templates', 'prompts']) await ask(`${kind}/list`);
  await ask('resources/read', { uri: 'a:b' });
  await ask('prompts/get', { name: 'p' });
  await ask('completion/complete', {
    ref: { type: 'ref/prompt', name: 'p', title: 'P' },
    argument: { name: 'a', value: '' },
    context: { arguments: { b: 'c' } },
  });
  for (const name of ['t', ...Object.keys(questions)]) await ask('tools/call', { name });
  await remote.close();
  await handle.close();
  return said;
}

/** Members of one frame that its revision does not name; what belongs to authors stands under names of their own. */
function unnamed(frame: JsonObject, members: (definition: string) => ReadonlySet<string>): string[] {
  const found: string[] = [];
  const look = (definition: string, thing: unknown): void => {
    const known = members(definition);
    for (const name of Object.keys((thing ?? {}) as object))
      if (!known.has(name)) found.push(`${definition}.${name}`);
  };
  const blocks: Readonly<Record<string, string>> = {
    text: 'TextContent',
    image: 'ImageContent',
    audio: 'AudioContent',
    resource: 'EmbeddedResource',
    resource_link: 'ResourceLink',
  };
  const block = (one: JsonObject): void => {
    look(blocks[one.type as string] ?? 'nothing', one);
    look('Annotations', one.annotations);
    if (one.type === 'resource') look('TextResourceContents', one.resource);
  };
  const { result = {}, params = {} } = frame as { result?: JsonObject; params?: JsonObject };
  const each = (name: string, see: (one: JsonObject) => void): void =>
    void ((result[name] ?? []) as JsonObject[]).forEach(see);
  each('tools', (one) => look('Tool', one));
  each('resources', (one) => look('Resource', one));
  each('resourceTemplates', (one) => look('ResourceTemplate', one));
  each('prompts', (one) => look('Prompt', one));
  each('contents', (one) => look('TextResourceContents', one));
  each('roots', (one) => look('Root', one));
  each('messages', (one) => block(one.content as JsonObject));
  if (Array.isArray(result.content) && frame.id !== undefined) each('content', block);
  if ('serverInfo' in result) look('Implementation', result.serverInfo);
  if ('clientInfo' in params) {
    look('Implementation', params.clientInfo);
    look('ClientCapabilities', params.capabilities);
  }
  if ('capabilities' in result) look('ServerCapabilities', result.capabilities);
  return found;
}

describe('one server and one client, with all features of any revision', () => {
  it.each(revisions.map(({ version }) => version))('exchange only what %s defines', async (version) => {
    const said = await converse(version);
    expect(said.length).toBeGreaterThan(25);
    const checker = frameChecker(version);
    if (checker === undefined) {
      console.log(
        `${version}: 0 of ${said.length} frames checked: RXMCP_SPEC_DIR names no folder with its schema`,
      );
      return;
    }
    const { checked, wrong } = checkAll(said, checker);
    const extra = said.flatMap(({ frame }) => unnamed(frame, (definition) => checker.members(definition)));
    console.log(`${version}: ${checked} of ${said.length} frames checked`);
    expect(wrong).toEqual([]);
    expect(extra).toEqual([]);
    expect(checked).toBeGreaterThan(20);
  });
});
