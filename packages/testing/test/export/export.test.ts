import type { Server } from '@rxmcp/core';
import { defineClient, defineServer, offerMethod, once, progress } from '@rxmcp/core';
import { memory } from '@rxmcp/memory';
import { concatMap, of, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Recording } from '../../src/index.js';
import { record, virtualTime, wireMarbles } from '../../src/index.js';
import { drawn } from '../../src/export/draw.js';
import { sliceOf } from '../../src/export/slice.js';

const info = { name: 'x', version: '1.0.0' };
const greeting = (said: string): Server =>
  defineServer({
    info,
    offers: [
      offerMethod('own/greet', {}, ({ name }) =>
        timer(20).pipe(
          concatMap(() => of(progress(1), { said: `${said}, ${String(name)}!`, "it's": '\u2028"\\' })),
        ),
      ),
    ],
  });

/** A session, taken at the server. */
async function taken(version: string): Promise<Recording> {
  using time = virtualTime();
  const link = memory();
  const atServer = record(greeting('Hello'));
  const serving = link.serve(atServer.recorded);
  const remote = await time.run(defineClient({ info, versions: [version] }).connect(link));
  for (const name of ['Ada', 'Bob']) await time.run(once(remote.request('own/greet', { name })));
  await time.run(remote.close());
  await time.run(serving.close());
  return atServer.recording();
}

describe('what is exported', () => {
  it.each(['2026-07-28', '2025-11-25', '2024-11-05'])(
    'may be a part, which stands by itself, at %s',
    async (version) => {
      const recording = await taken(version);
      const part = sliceOf(recording, { fromMs: 20, toMs: 45 });
      expect(JSON.stringify(part)).not.toMatch(/Ada/);
      const { diagram, frames } = drawn(part);
      expect(diagram).toMatch(/^\(?a.*19ms \(?c\|?\)?$/);
      await wireMarbles(({ expectWire }) => expectWire(greeting('Hello')).toBe(diagram, frames));
      const failing = wireMarbles(({ expectWire }) => expectWire(greeting('Hi')).toBe(diagram, frames));
      await expect(failing).rejects.toMatchObject({ code: 'FRAME_DIFFERS', path: 'result.said' });
    },
  );

  it('says what cannot be', async () => {
    const recording = await taken('2025-11-25');
    expect(() => sliceOf(recording, { connection: 2 })).toThrow('no connection 2');
  });
});
