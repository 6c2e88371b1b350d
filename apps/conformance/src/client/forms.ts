import type { Remote } from 'rxmcp';
import { once } from 'rxmcp';
import { offerElicitation } from 'rxmcp/elicitation';
import { orThrow, tools } from 'rxmcp/tools';
import { atServer } from './at-server.js';
import type { Setting } from './setting.js';

/** Leaves a form as it is; what stands in it already is the library's work. */
export function acceptDefaults(setting: Setting): Promise<void> {
  const call = (remote: Remote): Promise<unknown> =>
    once(tools(remote).call('test_client_elicitation_defaults').pipe(orThrow()));
  return atServer(setting, call, [offerElicitation(() => ({ action: 'accept', content: {} }))]);
}

/** Answers what a call is asked, and makes another call before the first answer. */
export function answerBetweenRounds(setting: Setting): Promise<void> {
  let between: Promise<unknown> | undefined;
  let remote: Remote | undefined;
  const call = (name: string): Promise<unknown> =>
    once(
      tools(remote as Remote)
        .call(name)
        .pipe(orThrow()),
    );
  return atServer(
    setting,
    async (connected) => {
      remote = connected;
      await once(tools(remote).list());
      await call('test_mrtr_echo_state');
      await call('test_mrtr_no_state');
      await call('test_mrtr_no_result_type');
    },
    [
      offerElicitation(async () => {
        await (between ??= call('test_mrtr_unrelated'));
        return { action: 'accept', content: { confirmed: true } };
      }),
    ],
  );
}
