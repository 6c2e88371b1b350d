import { defineClient, defineServer, once, type Fault, type Server } from '@rxmcp/core';
import { memory } from '@rxmcp/memory';
import { BehaviorSubject } from 'rxjs';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { offerTools, tool, tools, type Tool } from '../src/index.js';

const named = (...names: string[]): Tool[] => names.map((name) => tool(name, () => name));

async function connect(server: Server, version: string): Promise<ReturnType<typeof tools>> {
  const link = memory();
  const handle = link.serve(server);
  const client = defineClient({ info: { name: 'client', version: '1.0.0' }, versions: [version] });
  const remote = await client.connect(link);
  onTestFinished(async () => {
    await remote.close();
    await handle.close();
  });
  return tools(remote);
}

const serverOf = (offer: ReturnType<typeof offerTools>): Server =>
  defineServer({ info: { name: 'demo', version: '1.0.0' }, offers: [offer] });

describe.each(['2026-07-28', '2025-11-25'])('names that APIs of models refuse, %s', (version) => {
  afterEach(() => void vi.unstubAllEnvs());

  it('are printed once, with the accepted characters, and the tools work', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    onTestFinished(() => warn.mockRestore());
    const server = serverOf(offerTools(named('files.read', 'x'.repeat(65), 'plain_name-1')));
    for (let client = 0; client < 2; client += 1) {
      const { call, list } = await connect(server, version);
      expect((await once(list())).map(({ name }) => name)).toContain('files.read');
      expect((await once(call('files.read'))).content[0]).toMatchObject({ text: 'files.read' });
    }
    expect(warn.mock.calls.flat()).toEqual([
      `rxmcp server "demo": TOOL_NAME_INCOMPATIBLE: tool "files.read", "${'x'.repeat(65)}": APIs of models reject this name. ` +
        'OpenAI accepts 1 to 64 characters, Anthropic 1 to 128: A-Z, a-z, 0-9, "_" and "-". Rename the tool, or pass its list ' +
        'through toOpenAiTools(list) (watch faults$ to see all of this code)',
    ]);
  });

  it('are not printed in production', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    onTestFinished(() => warn.mockRestore());
    await connect(serverOf(offerTools(named('files.read'))), version);
    expect(warn).not.toHaveBeenCalled();
  });

  it('of a live list are reported once each, when they appear', async () => {
    const source = new BehaviorSubject(named('a.b', 'ok'));
    const server = serverOf(offerTools(source));
    const faults: Fault[] = [];
    const watching = server.faults$.subscribe((fault) => faults.push(fault));
    onTestFinished(() => watching.unsubscribe());
    await connect(server, version);
    source.next(named('a.b', 'c d'));
    source.next(named('ok'));
    source.next(named('a.b', 'ok'));
    expect(faults.map(({ code, message }) => [code, message.split(':')[0]])).toEqual([
      ['TOOL_NAME_INCOMPATIBLE', 'tool "a.b"'],
      ['TOOL_NAME_INCOMPATIBLE', 'tool "c d"'],
    ]);
  });
});
