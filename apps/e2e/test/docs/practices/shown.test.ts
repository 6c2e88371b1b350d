import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  defineClient,
  defineServer,
  type Interceptor,
  RxmcpError,
  type Offer,
  once,
  type Remote,
} from 'rxmcp';
import { validator } from 'rxmcp/json-schema';
import { memory } from 'rxmcp/memory';
import { resources } from 'rxmcp/resources';
import { stdio } from 'rxmcp/stdio';
import { offerTools, text, tool, ToolError, tools } from 'rxmcp/tools';
import { from, mergeMap, throwError } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { repository } from '../../repository.js';

const info = { name: 'practice', version: '1.0.0' };

async function joined(offers: Offer[], interceptors: Interceptor[] = []): Promise<Remote> {
  const link = memory();
  const serving = link.serve(defineServer({ info, offers }));
  const remote = await defineClient({ info, interceptors }).connect(link);
  onTestFinished(async () => {
    await remote.close();
    await serving.close();
  });
  return remote;
}

const said = (result: { content: readonly unknown[] }): unknown =>
  (result.content[0] as { text: string }).text;

/** Practices that are the reader's own doing, done once. */
describe('practices', () => {
  it('every scheme that the reference server offers is listed in its README', async () => {
    const program = join(repository, 'apps/server/dist/main.js');
    const remote = await defineClient({ info }).connect(
      stdio({ command: process.execPath, args: [program] }),
    );
    onTestFinished(() => remote.close());
    const { list, templates } = resources(remote);
    const uris = [
      ...(await once(list())).map(({ uri }) => uri),
      ...(await once(templates())).map(({ uriTemplate }) => uriTemplate),
    ];
    const schemes = new Set(uris.map((uri) => uri.slice(0, uri.indexOf(':') + 1)));
    expect(schemes.size).toBeGreaterThan(2);
    const readme = readFileSync(join(repository, 'apps/server/README.md'), 'utf8');
    for (const scheme of schemes) expect(readme).toContain(`\`${scheme}//`);
  });

  it('a description has an example, each argument its own, and it describes the shape of the result', async () => {
    const convert = tool(
      'convert',
      {
        description: 'Converts between units of length. Example: {"metres": 2} gives {"feet": 6.56}.',
        input: z.object({ metres: z.number().describe('A length, such as 2 or 0.5') }),
        output: z.object({ feet: z.number().describe('The same length, to the hundredth') }),
        annotations: { readOnlyHint: true },
      },
      ({ metres }) => ({ feet: Math.round(metres * 328.084) / 100 }),
    );
    const remote = await joined([offerTools([convert])]);
    const { list, call } = tools(remote, { validator: validator() });
    const [listed] = await once(list());
    expect(listed).toMatchObject({
      description: expect.stringContaining('Example: {"metres": 2}') as string,
      inputSchema: { properties: { metres: { description: 'A length, such as 2 or 0.5' } } },
      outputSchema: { properties: { feet: { type: 'number' } } },
    });
    const { structuredContent } = await once(call('convert', { metres: 2 }));
    expect(structuredContent).toEqual({ feet: 6.56 });
  });

  it('an argument is never a piece of a command line', async () => {
    const run = promisify(execFile);
    const script = 'process.stdout.write(process.argv[1])';
    // A program and its arguments apart, no shell, and "--" before what a caller wrote.
    const repeat = tool(
      'repeat',
      { input: z.object({ word: z.string().max(100) }) },
      async ({ word }, { signal }) =>
        text((await run(process.execPath, ['-e', script, '--', word], { signal, timeout: 10_000 })).stdout),
    );
    const remote = await joined([offerTools([repeat])]);
    for (const word of ['$(id)', '; exit 1', '`id`', '--eval', '| cat', '\n']) {
      expect(said(await once(tools(remote).call('repeat', { word })))).toBe(word);
    }
  });

  it('a url leads to the allowed hosts, and nowhere else', async () => {
    const hosts = new Set(['api.example.com']);
    const url = z.url({ protocol: /^https$/ }).max(2_000);
    const load = tool('load', { input: z.object({ url }) }, ({ url }) => {
      const { host, username } = new URL(url);
      if (!hosts.has(host) || username !== '')
        throw new ToolError(`${host} is not one of ${[...hosts].join(', ')}`);
      return text(host);
    });
    const remote = await joined([offerTools([load])]);
    const call = (at: string) => once(tools(remote).call('load', { url: at }));
    expect(said(await call('https://api.example.com/v1'))).toBe('api.example.com');
    for (const at of [
      'http://api.example.com/',
      'file:///etc/passwd',
      'https://api.example.com.evil.example/',
      'https://api.example.com@evil.example/',
      'https://user@api.example.com/',
      'https://169.254.169.254/',
      'no url',
    ]) {
      expect(await call(at), at).toMatchObject({ isError: true });
    }
  });

  it('a user approves each tool before it is called', async () => {
    const shown: unknown[] = [];
    const person = (name: unknown): Promise<boolean> => {
      shown.push(name);
      return Promise.resolve(name === 'read');
    };
    const approved: Interceptor = ({ method, params }, next) =>
      method !== 'tools/call'
        ? next()
        : from(person(params['name'])).pipe(
            mergeMap((yes) =>
              yes
                ? next()
                : throwError(() => new RxmcpError('CANCELLED', 'the user said no', { outcome: 'not-sent' })),
            ),
          );
    const ran: string[] = [];
    const noting = (name: string) => tool(name, {}, () => text(String(ran.push(name))));
    const remote = await joined([offerTools([noting('read'), noting('wipe')])], [approved]);
    await once(tools(remote).call('read'));
    await expect(once(tools(remote).call('wipe'))).rejects.toMatchObject({ code: 'CANCELLED' });
    expect([shown, ran]).toEqual([['read', 'wipe'], ['read']]);
  });
});
