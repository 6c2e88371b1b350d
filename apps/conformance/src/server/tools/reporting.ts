import { concat, delay, from, map, concatMap, of } from 'rxjs';
import { logItem, progressItem } from 'rxmcp';
import { type Tool, text, tool } from 'rxmcp/tools';

const apartMs = 50;
/** Longer than a call may take before its response becomes a stream. */
const longMs = 1_500;

/** Tools that report something before their result, or take long. */
export const reportingTools: readonly Tool[] = [
  tool('test_tool_with_progress', { description: 'Reports progress.' }, () =>
    concat(slowly([0, 50, 100]).pipe(map((done) => progressItem(done, 100))), of(text('All done.'))),
  ),
  tool('test_tool_with_logging', { description: 'Logs what it does.' }, () =>
    concat(
      slowly(['started', 'working', 'finished']).pipe(
        map((what) => logItem('info', `The tool has ${what}.`)),
      ),
      of(text('Three records were logged.')),
    ),
  ),
  tool('test_logging_tool', { description: 'Logs for callers that request log messages.' }, (_args, ctx) => {
    ctx.log('info', 'Only callers that asked for a level get this.');
    return text('Logged.');
  }),
  tool('test_reconnection', { description: 'Takes so long that its stream is closed meanwhile.' }, () =>
    of(text('The result of a call whose stream was closed.')).pipe(delay(longMs)),
  ),
];

function slowly<T>(items: readonly T[]) {
  return from(items).pipe(concatMap((item) => of(item).pipe(delay(apartMs))));
}
