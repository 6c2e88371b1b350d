import { describe, expect, it, onTestFinished } from 'vitest';
import { BehaviorSubject, concat, finalize, firstValueFrom, NEVER, of, toArray } from 'rxjs';
import type { Offer } from '@rxmcp/core';
import { once, progressItem } from '@rxmcp/core';
import { defineOffer } from '@rxmcp/core/internal';
import { memory } from '@rxmcp/memory';
import { connectedPair } from '@rxmcp/testing';
import {
  audio,
  offerTools,
  orThrow,
  resourceLink,
  text,
  tool,
  ToolError,
  tools,
  type Tool,
} from '../src/index.js';
import { person, schema } from './schemas.js';

/** Every published revision. */
const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;

const serving = (server: readonly Offer[], version = '2026-07-28', client: readonly Offer[] = []) =>
  connectedPair({ server, client, version, link: memory(), onCleanup: onTestFinished });

const greet = tool('greet', { input: person }, async ({ name }) => text(`Hello, ${name}!`));
const count = tool('count', {}, () =>
  concat(of(progressItem(1, 2), progressItem(2, 2)), of(text('Counted.'))),
);
const fails = tool('fails', {}, () => {
  throw new ToolError('no such city');
});
const sum = tool(
  'sum',
  { output: schema<{ sum: number }>({ check: (v) => v as never, json: { type: 'object' } }) },
  () => ({
    sum: 3,
  }),
);
const all = [greet, count, fails, sum];

describe.each(versions)('tools in %s', (version) => {
  const structured = version >= '2025-06-18';

  it('are listed as they were described', async () => {
    const { remote } = await serving([offerTools(all)], version);
    const told = all.map(({ info: { outputSchema, ...info } }) =>
      structured && outputSchema !== undefined ? { ...info, outputSchema } : info,
    );
    expect(await once(tools(remote).list())).toEqual(told);
  });

  it('are listed completely, in however many pages', async () => {
    const { remote } = await serving([offerTools(all, { pageSize: 1 })], version);
    const pages: unknown[] = [];
    remote.wire$.subscribe(({ direction, message }) => direction === 'out' && pages.push(message));
    expect((await once(tools(remote).list())).map(({ name }) => name)).toEqual([
      'greet',
      'count',
      'fails',
      'sum',
    ]);
    expect(pages).toHaveLength(4);
  });

  it('are called', async () => {
    const { remote } = await serving([offerTools(all)], version);
    expect(await once(tools(remote).call('greet', { name: 'Ada' }))).toMatchObject({
      content: [text('Hello, Ada!')],
    });
    const data = await once(tools(remote).call('sum'));
    expect(data.content).toEqual([text('{"sum":3}')]);
    expect(data.structuredContent).toEqual(structured ? { sum: 3 } : undefined);
  });

  it.each([
    ['without a signal', {}],
    ['with one', { signal: new AbortController().signal }],
  ])('emit their progress, the result last, %s', async (_which, options) => {
    const { remote } = await serving([offerTools(all)], version);
    const events = await firstValueFrom(tools(remote).events('count', {}, options).pipe(toArray()));
    expect(events.map(({ type }) => type)).toEqual([...events.slice(1).map(() => 'progress'), 'result']);
    expect(events.slice(0, -1)).toContainEqual({ type: 'progress', progress: 2, total: 2 });
    expect(events.at(-1)).toMatchObject({ result: { content: [text('Counted.')] } });
  });

  it('fail as a value, or as an error on request', async () => {
    const { remote } = await serving([offerTools(all)], version);
    const failed = { content: [text('no such city')], isError: true };
    expect(await once(tools(remote).call('fails'))).toMatchObject(failed);
    const error: unknown = await once(tools(remote).call('fails').pipe(orThrow())).catch(
      (caught: unknown) => caught,
    );
    expect(ToolError.is(error) && error.message).toBe('no such city');
    expect(error).toMatchObject({ result: failed });
  });

  it('reject wrong arguments in the form of the revision', async () => {
    const { remote } = await serving([offerTools(all)], version);
    const message = 'invalid arguments for tool "greet": name: must be a string';
    const call = once(tools(remote).call('greet', { name: 1 }));
    if (version >= '2025-11-25')
      expect(await call).toMatchObject({ content: [text(message)], isError: true });
    else await expect(call).rejects.toMatchObject({ code: -32602, message });
  });

  it('that are unknown are an error of the protocol', async () => {
    const { remote } = await serving([offerTools(all)], version);
    await expect(once(tools(remote).call('great'))).rejects.toMatchObject({
      code: -32602,
      message: 'unknown tool "great", did you mean "greet"?',
    });
  });

  it('change while they are watched', async () => {
    const source = new BehaviorSubject<readonly Tool[]>([greet]);
    const { remote } = await serving([offerTools(source)], version);
    const seen: string[][] = [];
    await new Promise<void>((resolve) => {
      tools(remote).list$.subscribe((list) => {
        seen.push(list.map(({ name }) => name));
        if (seen.length === 1) source.next([greet, count]);
        else resolve();
      });
    });
    expect(seen).toEqual([['greet'], ['greet', 'count']]);
  });

  it('are torn down when no caller waits any more', async () => {
    const ended = new Promise<void>((resolve) => {
      const endless = tool('endless', {}, () => concat(of(progressItem(1)), NEVER).pipe(finalize(resolve)));
      void serving([offerTools([endless])], version).then(({ remote }) => {
        const subscription = tools(remote)
          .events('endless')
          .subscribe(() => subscription.unsubscribe());
      });
    });
    await ended;
  });

  it('return blocks that an older revision knows', async () => {
    const blocks = [audio('AA==', 'audio/wav'), resourceLink('file:///a', 'a')];
    const { remote } = await serving([offerTools([tool('blocks', {}, () => blocks)])], version);
    const { content } = await once(tools(remote).call('blocks'));
    expect(content.map(({ type }) => type)).toEqual([
      version >= '2025-03-26' ? 'audio' : 'text',
      structured ? 'resource_link' : 'text',
    ]);
  });
});

it('a failing handler sends its caller a number and reports the rest to the server', async () => {
  const broken = tool('broken', {}, () => Promise.reject(new Error('password=hunter2')));
  const { remote, serverFaults: faults } = await serving([offerTools([broken])]);
  const result = await once(tools(remote).call('broken'));
  expect(faults).toMatchObject([{ code: 'HANDLER_FAILED', message: expect.stringContaining('hunter2') }]);
  expect(result.content).toEqual([text(`Tool "broken" failed (reference ${faults[0]!.reference}).`)]);
});

it('a tool whose needs the client lacks is refused', async () => {
  for (const version of versions) {
    const { remote } = await serving(
      [offerTools([tool('ask', { needs: ['sampling'] }, () => 'ran')])],
      version,
    );
    await expect(once(tools(remote).call('ask')), version).rejects.toMatchObject({ name: 'RpcError' });
  }
});

it('a tool that needs elicitation needs forms: a client that opens urls only is refused before it runs', async () => {
  const ask = tool('ask', { needs: ['elicitation'] }, () => 'ran');
  const called = async (elicitation: object) => {
    const declaring = defineOffer({ name: 'e', side: 'client', capabilities: { elicitation } as never });
    const { remote } = await serving([offerTools([ask])], undefined, [declaring]);
    return once(tools(remote).call('ask'));
  };
  expect(await called({})).toMatchObject({ content: [text('ran')] });
  await expect(called({ url: {} })).rejects.toMatchObject({
    code: -32021,
    data: { requiredCapabilities: { elicitation: { form: {} } } },
  });
});

it('bad arguments arrive as errors, nothing throws at call time', async () => {
  const { remote } = await serving([offerTools(all)]);
  for (const [name, args] of [
    [1, {}],
    ['greet', []],
    ['greet', 'x'],
    ['greet', null],
  ] as [never, never][]) {
    await expect(once(tools(remote).call(name, args))).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
    await expect(firstValueFrom(tools(remote).events(name, args))).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
    });
  }
});

it('a server without tools has none, and a call names the missing capability', async () => {
  const { remote } = await serving([]);
  expect(await once(tools(remote).list())).toEqual([]);
  expect(await once(tools(remote).list$)).toEqual([]);
  await expect(once(tools(remote).call('x'))).rejects.toMatchObject({ code: 'CAPABILITY_NOT_SUPPORTED' });
});

it('a static list emits once and stays, and no feed is opened for it', async () => {
  const { remote } = await serving([offerTools([greet])]);
  const sent: unknown[] = [];
  remote.wire$.subscribe(
    ({ direction, message }) => direction === 'out' && sent.push((message as { method: string }).method),
  );
  let ended = false;
  const seen: unknown[] = [];
  tools(remote).list$.subscribe({
    next: (list) => void seen.push(list),
    complete: () => void (ended = true),
  });
  await once(tools(remote).call('greet', { name: 'Ada' }));
  expect([seen.length, ended, sent]).toEqual([1, false, ['tools/list', 'tools/call']]);
});

it('the same use is handed out for the same remote', async () => {
  const { remote } = await serving([]);
  expect(tools(remote)).toBe(tools(remote));
});

it('10,000 tools are listed and found', async () => {
  const many = Array.from({ length: 10_000 }, (_, at) => tool(`t${at}`, {}, () => `${at}`));
  const { remote } = await serving([offerTools(many)]);
  expect(await once(tools(remote).call('t9999'))).toMatchObject({ content: [text('9999')] });
  expect(await once(tools(remote).list())).toHaveLength(10_000);
});
