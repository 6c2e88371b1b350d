import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { memory } from 'rxmcp/memory';
import * as rxmcp from 'rxmcp';
import type * as interceptors from 'rxmcp/interceptors';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { publicPackages } from '../public-packages.js';
import { repository } from '../repository.js';

const folder = mkdtempSync(join(tmpdir(), 'rxmcp-two-copies-'));
const modules = join(folder, 'node_modules');
const info = { name: 'hello', version: '1.0.0' };
const names = ['jsonrpc', 'transport', 'core', 'tools', 'prompts', 'resources'].map(
  (name) => `@rxmcp/${name}`,
);

/** The second copy: what a second `node_modules` has of the built packages. */
let other: typeof rxmcp & typeof interceptors;

beforeAll(async () => {
  for (const { manifest, directory } of publicPackages()) {
    if (!names.includes(manifest.name)) continue;
    const copy = join(modules, manifest.name);
    cpSync(join(directory, 'dist'), join(copy, 'dist'), { recursive: true });
    const { publishConfig, ...own } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
    writeFileSync(join(copy, 'package.json'), JSON.stringify({ ...own, ...publishConfig }));
  }
  mkdirSync(modules, { recursive: true });
  symlinkSync(realpathSync(join(repository, 'packages/core/node_modules/rxjs')), join(modules, 'rxjs'));
  const load = (path: string) => import(/* @vite-ignore */ pathToFileURL(join(modules, path)).href);
  other = Object.assign(
    {},
    ...(await Promise.all([
      load('@rxmcp/core/dist/index.js'),
      load('@rxmcp/core/dist/interceptors/index.js'),
      load('@rxmcp/tools/dist/index.js'),
      load('@rxmcp/prompts/dist/index.js'),
      load('@rxmcp/resources/dist/index.js'),
    ])),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { createServer, defineClient, defineServer, offerTools, tools } = rxmcp;
const copy = (what: string): string =>
  `${what} was made by another copy of @rxmcp/core (0.1.0, this is 0.1.0). See "npm ls @rxmcp/core"; "npm dedupe" leaves one`;

it.each<[string, () => unknown, string]>([
  ['a tool', () => createServer({ ...info, tools: [other.tool('x', () => 'x')] }), 'tool "x"'],
  ['a prompt', () => createServer({ ...info, prompts: [other.prompt('x', () => 'x')] }), 'prompt "x"'],
  ['a resource', () => createServer({ ...info, resources: [other.resource('a://b', {}, 'x')] }), 'item "b"'],
  [
    'a template',
    () => createServer({ ...info, resources: [other.template('a://{b}', {}, () => 'x')] }),
    'item "a://{b}"',
  ],
  ['an offer of a server', () => defineServer({ info, offers: [other.offerTools([])] }), 'offers[0]'],
  [
    'an offer of a client',
    () => defineClient({ info, offers: [other.offerNotification('x/y', () => undefined)] }),
    'offers[0]',
  ],
  [
    'an interceptor of a server',
    () => defineServer({ info, offers: [], interceptors: [other.authorize({ allow: () => true })] }),
    'the interceptors of a server',
  ],
  [
    'an interceptor of a client',
    () => defineClient({ info, interceptors: [other.retry()] }),
    'the interceptors of a client',
  ],
])('%s of another copy is answered with the fix', (_what, make, what) => {
  expect(make).toThrow(new TypeError(copy(what)));
});

it('a remote of another copy is answered with the fix', async () => {
  const link = memory();
  const handle = link.serve(defineServer({ info, offers: [offerTools([])] }));
  onTestFinished(() => handle.close());
  const remote = await other.defineClient({ info }).connect(link);
  onTestFinished(() => remote.close());
  expect(() => tools(remote)).toThrow(new TypeError(copy('this remote')));
});

it('other values are answered with what is expected', () => {
  expect(() => tools({} as never)).toThrow(
    'expected a Remote: pass what client.connect(transport) resolved to',
  );
  expect(() => defineServer({ info, offers: [{} as never] })).toThrow('offers[0] is not an offer');
  expect(() => offerTools([{} as never])).toThrow('an entry of the tools is not a tool');
});

it('the other copy works with what it made', () => {
  const server = other.defineServer({ info, offers: [other.offerTools([other.tool('x', () => 'x')])] });
  expect(server.info).toEqual(info);
});
