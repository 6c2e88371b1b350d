import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'rxmcp';
import { prompts } from 'rxmcp/prompts';
import { resources } from 'rxmcp/resources';
import { offerRoots } from 'rxmcp/roots';
import { tools } from 'rxmcp/tools';
import { expect, it } from 'vitest';
import { repository } from '../repository.js';
import { asksIn } from './asks-in.js';
import { each } from './harness.js';

each(
  'lists ask for nothing and are the same for every client; a read asks for roots',
  { server: 'asking', needs: { clientReplies: true } },
  async (cell) => {
    const one = await cell.connect({ offers: [offerRoots([{ uri: 'file:///one' }])] });
    const other = await cell.connect();
    const lists = async ({ remote }: typeof one): Promise<unknown> => [
      await once(tools(remote).list()),
      await once(prompts(remote).list()),
      await once(resources(remote).list()),
      await once(resources(remote).templates()),
    ];
    expect(await lists(one)).toEqual(await lists(other));
    expect(asksIn(one.received)).toEqual([]);
    await once(resources(one.remote).read('roots://mine'));
    expect(asksIn(one.received)).toEqual(['roots/list']);
  },
);

it('the architecture page states it', () => {
  const page = readFileSync(join(repository, 'ARCHITECTURE.md'), 'utf8');
  expect(page).toMatch(/Lists may neither ask nor vary by connection/);
});
