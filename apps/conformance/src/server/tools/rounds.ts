import type { Context } from 'rxmcp';
import { type ElicitResult, elicit, form, stringField, booleanField } from 'rxmcp/elicitation';
import { listRoots } from 'rxmcp/roots';
import { sample, messageText } from 'rxmcp/sampling';
import { type Tool, text, tool } from 'rxmcp/tools';

const description = 'Needs more input from the client.';
const named = (what: string): string => `test_input_required_result_${what}`;

/** Tools whose call takes several rounds in the modern era; keys are those that the suite looks for. */
export const roundTools: readonly Tool[] = [
  tool(named('elicitation'), { description }, async (_args, ctx) =>
    text(`Hello, ${accepted(await name(ctx))?.name ?? 'unknown'}!`),
  ),
  tool(named('sampling'), { description }, async (_args, ctx) =>
    text(await said(ctx, 'capital_question', 'What is the capital of France?')),
  ),
  tool(named('list_roots'), { description }, async (_args, ctx) => text(await places(ctx))),
  tool(named('request_state'), { description }, async (_args, ctx) =>
    text((await confirmed(ctx)) ? 'state-ok' : 'not confirmed'),
  ),
  tool(named('tampered_state'), { description }, async (_args, ctx) =>
    text((await confirmed(ctx)) ? 'The state is sound.' : 'not confirmed'),
  ),
  tool(named('multiple_inputs'), { description }, async (_args, ctx) => {
    // All three travel together, since they are asked before anything is awaited.
    const [who, greeting, where] = await Promise.all([
      name(ctx),
      said(ctx, 'greeting', 'Make up a greeting.'),
      places(ctx),
    ]);
    return text(`${greeting} ${accepted(who)?.name ?? 'unknown'} in ${where}`);
  }),
  tool(named('multi_round'), { description }, async (_args, ctx) => {
    const who = await elicit(ctx, 'step1', {
      message: 'What is your name?',
      schema: form({ name: stringField() }),
    });
    const likes = await elicit(ctx, 'step2', {
      message: `Which colour do you like, ${accepted(who)?.name}?`,
      schema: form({ color: stringField() }),
    });
    return text(`${accepted(who)?.name} likes ${accepted(likes)?.color}.`);
  }),
  tool(named('capabilities'), { description }, async (_args, ctx) => {
    const { capabilities } = ctx.caller;
    const answers = await Promise.all([
      ...('sampling' in capabilities
        ? [said(ctx, 'capital_question', 'What is the capital of France?')]
        : []),
      ...('elicitation' in capabilities ? [name(ctx).then(({ action }) => action)] : []),
      ...('roots' in capabilities ? [places(ctx)] : []),
    ]);
    return text(`The client answered: ${answers.join(', ')}`);
  }),
];

function name(ctx: Context): Promise<ElicitResult<{ readonly name: string }>> {
  return elicit(ctx, 'user_name', { message: 'What is your name?', schema: form({ name: stringField() }) });
}

async function confirmed(ctx: Context): Promise<boolean> {
  const answer = await elicit(ctx, 'confirm', {
    message: 'Please confirm.',
    schema: form({ ok: booleanField() }),
  });
  return accepted(answer)?.ok ?? false;
}

async function said(ctx: Context, key: string, question: string): Promise<string> {
  return messageText(
    await sample(ctx, key, { messages: [{ role: 'user', content: text(question) }], maxTokens: 100 }),
  );
}

async function places(ctx: Context): Promise<string> {
  return (await listRoots(ctx, 'client_roots')).map(({ uri }) => uri).join(' ');
}

function accepted<T>(answer: ElicitResult<T>): T | undefined {
  return answer.action === 'accept' ? answer.content : undefined;
}
