import { once } from 'rxmcp';
import { completion } from 'rxmcp/completion';
import { logging } from 'rxmcp/logging';
import { prompts } from 'rxmcp/prompts';
import { tools } from 'rxmcp/tools';
import { filter, firstValueFrom, map, merge, ignoreElements, defer } from 'rxjs';
import { feature, type Feature, same } from '../cell.js';

/** Prompts, completions, logs, and custom messages. */
export const otherCells: readonly Feature[] = [
  feature('prompts', async ({ remote, fresh }) => {
    const code = `const fresh = '${fresh()}';`;
    const { messages } = await once(prompts(remote).get('explain-code', { code, language: 'js' }));
    same('that the prompt holds the code', JSON.stringify(messages).includes(code), true);
  }),
  feature('completion', async ({ remote, fresh, write }) => {
    const path = `completion-${fresh()}.txt`;
    await write(path, 'a');
    const { values } = await once(completion(remote).prompt('analyze-project', 'file', path.slice(0, -4)));
    same('what is suggested', values.join(), path);
  }),
  feature('logging', async ({ remote, fresh, write }) => {
    const path = `logging-${fresh()}.csv`;
    await write(path, 'a\n1\n');
    await once(logging(remote).setLevel('info'));
    const call = tools(remote).call('analyze_csv', { filepath: path, operations: ['sum'] });
    const record = merge(logging(remote).records$, defer(() => call).pipe(ignoreElements())).pipe(
      map(({ level, data }) => ({ level, isAbout: String(data).includes(path) })),
      filter(({ isAbout }) => isAbout),
    );
    same('the level', (await firstValueFrom(record)).level, 'info');
  }),
  feature('method', async ({ remote, fresh }) => {
    const nonce = fresh();
    const { echo } = await once(remote.request('demo/echo', { nonce }));
    same('the echo', (echo as { nonce?: unknown } | undefined)?.nonce, nonce);
  }),
  feature('notice', async ({ remote, fresh, notified$ }) => {
    const nonce = fresh();
    await remote.notify('demo/said', { nonce });
    const { nonce: received } = await once(
      remote.request('demo/received', { nonce }, { idleTimeoutMs: 5_000 }),
    );
    same('what the server received', received, nonce);
    same('what it sent', await firstValueFrom(notified$.pipe(filter((value) => value === nonce))), nonce);
  }),
];
