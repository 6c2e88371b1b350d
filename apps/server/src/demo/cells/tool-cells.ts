import { once } from 'rxmcp';
import { type ToolResult, tools } from 'rxmcp/tools';
import { filter, lastValueFrom, take, toArray } from 'rxjs';
import { feature, type Feature, same } from '../cell.js';

/** Calls, their progress, and their end before the end. */
export const toolCells: readonly Feature[] = [
  feature('tools', async ({ remote }) => {
    const [a, b] = [random(), random()];
    const sum = await once(tools(remote).call('calculate_sum', { a, b }));
    same('the sum', textOf(sum), String(a + b));
  }),
  feature('progress', async ({ remote, fresh, write }) => {
    const word = fresh();
    const files = 3 + (random() % 7);
    for (let at = 0; at < files; at += 1) await write(`progress-${word}/${at}.txt`, `a ${word} here\n`);
    const call = tools(remote).events('search_files', { query: word, glob: `progress-${word}/*` });
    const events = await lastValueFrom(call.pipe(toArray()));
    const reports = events.filter((event) => event.type === 'progress');
    const last = reports.at(-1);
    same('the last progress', [last?.progress, last?.total], [files, files]);
    const grows = reports.every(({ progress }, at) => progress > (reports[at - 1]?.progress ?? -1));
    same('that progress grows', grows, true);
    same('the last event', events.at(-1)?.type, 'result');
  }),
  feature('cancel', async ({ remote, fresh }) => {
    const nonce = fresh();
    const held = tools(remote).events('hold', { nonce });
    // The first progress says that the tool runs; leaving the stream cancels it.
    const begun = await lastValueFrom(
      held.pipe(
        filter((event) => event.type === 'progress'),
        take(1),
      ),
    );
    same('what is held', begun.message, nonce);
    const released = await once(remote.request('demo/released', { nonce }, { idleTimeoutMs: 5_000 }));
    same('what was released', released['nonce'], nonce);
  }),
];

/** The texts of a result in one. */
export function textOf({ content }: ToolResult): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

function random(): number {
  return Math.floor(Math.random() * 1_000_000);
}
