import { concat, NEVER, of, Subject, throwError } from 'rxjs';
import type { CallEvent } from 'rxmcp';
import { expect, it } from 'vitest';
import type { Output } from '../src/page/state/catalog.js';
import { type Run, runOf } from '../src/page/state/run.js';

const output = { blocks: [] };
const progress: CallEvent<Output> = { type: 'progress', progress: 1, total: 2 };
const record: CallEvent<Output> = { type: 'log', level: 'info', data: 'hello' };
const result: CallEvent<Output> = { type: 'result', result: output };

function followed(...args: Parameters<typeof runOf>): Run[] {
  const runs: Run[] = [];
  runOf(...args).subscribe((run) => runs.push(run));
  return runs;
}

it('a use goes from its start over progress and logs to its result', () => {
  const runs = followed(of(progress, record, result), NEVER);
  expect(runs[0]).toEqual({ state: 'running', logs: [] });
  expect(runs.at(-1)).toEqual({ state: 'done', progress, logs: [record], output });
});

it('a watched value replaces the one before it', () => {
  const second = { blocks: [{ type: 'text', text: 'two' }] } as const;
  const runs = followed(concat(of(result, { type: 'result' as const, result: second }), NEVER), NEVER);
  expect(runs.at(-1)).toMatchObject({ state: 'running', output: second });
});

it('a failure keeps what came before it', () => {
  const error = new Error('lost');
  const runs = followed(
    concat(
      of(progress),
      throwError(() => error),
    ),
    NEVER,
  );
  expect(runs.at(-1)).toEqual({ state: 'failed', progress, logs: [], error });
});

it('a cancel unsubscribes, and says so', () => {
  const events$ = new Subject<CallEvent<Output>>();
  const cancel$ = new Subject<void>();
  const runs = followed(events$, cancel$);
  cancel$.next();
  expect(runs.at(-1)?.state).toBe('cancelled');
  expect(events$.observed).toBe(false);
  expect(cancel$.observed).toBe(false);
});

it('keeps the last 50 log records', () => {
  const runs = followed(of(...Array.from({ length: 60 }, () => record)), NEVER);
  expect(runs.at(-1)?.logs).toHaveLength(50);
});
