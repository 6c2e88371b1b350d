import type { Server } from '@rxmcp/core';
import { defineClient, defineServer, offerMethod, once, progressItem } from '@rxmcp/core';
import { memory } from '@rxmcp/memory';
import type { Recording } from '@rxmcp/testing';
import { exportTest, record, virtualTime } from '@rxmcp/testing';
import { concatMap, of, timer } from 'rxjs';
import { expect, it } from 'vitest';
import { ran } from './run-vitest.js';

const info = { name: 'x', version: '1.0.0' };
const server = (): Server =>
  defineServer({
    info,
    offers: [
      offerMethod('own/greet', {}, ({ name }) =>
        timer(20).pipe(
          concatMap(() => of(progressItem(1), { said: `Hello, ${String(name)}!`, "it's": '\u2028"\\' })),
        ),
      ),
    ],
  });

/** The same server, and code that calls it, as files. */
const files = {
  server: (said: string) => `
    import { defineServer, offerMethod, progressItem } from '@rxmcp/core';
    import { concatMap, of, timer } from 'rxjs';
    const greet = ({ name }) =>
      timer(20).pipe(concatMap(() => of(progressItem(1), { said: '${said}, ' + name + '!', "it's": '\\u2028"\\\\' })));
    export const server = defineServer({ info: { name: 'x', version: '1.0.0' }, offers: [offerMethod('own/greet', {}, greet)] });`,
  client: (second: string) => `
    import { defineClient, once } from '@rxmcp/core';
    export default async (transport) => {
      const remote = await defineClient({ info: { name: 'x', version: '1.0.0' }, versions: ['2025-11-25'] }).connect(transport);
      for (const name of ['Ada', '${second}']) await once(remote.request('own/greet', { name }));
      await remote.close();
    };`,
};

/** A session, taken at one end or at the other. */
async function taken(version: string, end: 'client' | 'server'): Promise<Recording> {
  using time = virtualTime();
  const link = memory();
  const atServer = record(server());
  const serving = link.serve(atServer.recorded);
  const atClient = record(link);
  const remote = await time.run(defineClient({ info, versions: [version] }).connect(atClient.recorded));
  for (const name of ['Ada', 'Bob']) await time.run(once(remote.request('own/greet', { name })));
  await time.run(remote.close());
  await time.run(serving.close());
  return (end === 'client' ? atClient : atServer).recording();
}

it('an exported test runs, passes, and fails when it is changed', async () => {
  const [modern, legacy] = [await taken('2026-07-28', 'server'), await taken('2025-11-25', 'client')];
  const about = (name: string, subject: string): Parameters<typeof exportTest>[1] => ({
    name,
    subject: { import: subject === 'client' ? 'default' : 'server', from: `./${name}.js` },
  });
  const served = exportTest(modern, about('server', 'server'));
  const results = await ran({
    'server.js': files.server('Hello'),
    'server.test.js': served,
    'changed.js': files.server('Good day'),
    'changed.test.js': exportTest(modern, about('changed', 'server')),
    'late.test.js': served.replace(' 19ms ', ' 18ms '),
    'untimed.test.js': exportTest(modern, { ...about('server', 'server'), checkTimes: false }),
    'client.js': files.client('Bob'),
    'client.test.js': exportTest(legacy, about('client', 'client')),
    'eve.js': files.client('Eve'),
    'eve.test.js': exportTest(legacy, about('eve', 'client')),
  });
  expect(results).toEqual({
    'server.test.js': 'passed',
    'untimed.test.js': 'passed',
    'client.test.js': 'passed',
    'changed.test.js': expect.stringContaining(
      'result.said: "Hello, Ada!" was recorded, "Good day, Ada!" came',
    ) as string,
    'late.test.js': expect.stringContaining('instead of') as string,
    'eve.test.js': expect.stringContaining('params.name: "Bob" was recorded, "Eve" came') as string,
  });
});
