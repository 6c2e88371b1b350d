import { BehaviorSubject, map } from 'rxjs';
import type { Remote } from 'rxmcp';
import { defineClient, defineServer, once } from 'rxmcp';
import { memory } from 'rxmcp/memory';
import { offerResources, resource, resources, template, readText } from 'rxmcp/resources';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { revisions } from './revisions.js';

const uri = 'diary:///today';
const pageUri = 'diary:///pages/7';

/** Diaries by principal; each is followed by its owner only. */
function diaries() {
  const pages = new Map(['李雷', '韩梅梅'].map((who) => [who, new BehaviorSubject(`${who}的秘密`)]));
  const ofCaller = (who: string | undefined) => pages.get(who ?? '') ?? null;
  const server = defineServer({
    info: { name: 'diaries', version: '1.0.0' },
    offers: [
      offerResources([
        resource(uri, {}, (_vars, ctx) => ofCaller(ctx.caller.principal)),
        template(
          'diary:///pages/{page}',
          {},
          ({ page }, ctx) => ofCaller(ctx.caller.principal)?.pipe(map((text) => `${page}: ${text}`)) ?? null,
        ),
      ]),
    ],
  });
  return { server, pages };
}

describe.each(revisions)('two principals at $version over memory', ({ version }) => {
  async function connected() {
    const { server, pages } = diaries();
    const link = memory();
    const serving = link.serve(server);
    onTestFinished(() => serving.close());
    const as = async (principal?: string): Promise<Remote> => {
      const client = defineClient({ info: { name: 'reader', version: '1.0.0' }, versions: [version] });
      const remote = await client.connect(principal === undefined ? link : link.asPrincipal(principal));
      onTestFinished(() => remote.close());
      return remote;
    };
    return { pages, lilei: await as('李雷'), meimei: await as('韩梅梅'), nobody: await as() };
  }

  const textAt = async (remote: Remote, at: string): Promise<string> => {
    const [contents] = await once(resources(remote).read(at));
    return contents === undefined ? '' : readText(contents);
  };

  it('read their own, at the same time too', async () => {
    const { lilei, meimei, nobody } = await connected();
    const all = [textAt(lilei, uri), textAt(meimei, uri), textAt(lilei, pageUri), textAt(meimei, pageUri)];
    expect(await Promise.all(all)).toEqual([
      '李雷的秘密',
      '韩梅梅的秘密',
      '7: 李雷的秘密',
      '7: 韩梅梅的秘密',
    ]);
    await expect(textAt(nobody, uri)).rejects.toThrow('no resource');
  });

  it.each([uri, pageUri])('follow their own %s and receive nothing of the other', async (at) => {
    const { pages, lilei, meimei } = await connected();
    const follow = (remote: Remote) => {
      const seen: string[] = [];
      const notices: unknown[] = [];
      const following = [
        remote.wire$.subscribe(({ message }) => {
          if (JSON.stringify(message).includes('notifications/resources/updated')) notices.push(message);
        }),
        resources(remote)
          .watch(at)
          .subscribe(([contents]) => contents && seen.push(readText(contents))),
      ];
      onTestFinished(() => following.forEach((one) => one.unsubscribe()));
      return { seen, notices };
    };
    const [his, hers] = [follow(lilei), follow(meimei)];
    await vi.waitFor(() => expect([his.seen.length, hers.seen.length]).toEqual([1, 1]));
    pages.get('李雷')?.next('李雷的新秘密');
    await vi.waitFor(() => expect(his.seen.at(-1)).toContain('李雷的新秘密'));
    expect(await textAt(meimei, at)).toContain('韩梅梅的秘密');
    expect([his.notices.length, hers.notices.length]).toEqual([1, 0]);
    expect(hers.seen.join()).not.toContain('李雷');
    expect(his.seen.join()).not.toContain('韩梅梅');
  });
});
