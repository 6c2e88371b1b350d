import type { JsonObject, Server, RequestStateKey } from 'rxmcp';
import { defineServer, RxmcpError } from 'rxmcp';
import { elicit, form, stringField } from 'rxmcp/elicitation';
import { offerPrompts, prompt, user } from 'rxmcp/prompts';
import { offerResources, resource } from 'rxmcp/resources';
import { listRoots, onRootsChanged } from 'rxmcp/roots';
import { sample, messageText } from 'rxmcp/sampling';
import type { Tool } from 'rxmcp/tools';
import { offerTools, text, tool } from 'rxmcp/tools';
import { resolveWithinRoots } from '@rxmcp/roots/node';
import * as z from 'zod';

const askFiles = tool(
  'ask_files',
  { input: z.object({ question: z.string() }) },
  async ({ question }, ctx) => {
    const completion = await sample(ctx, 'files', {
      messages: [{ role: 'user', content: text(question) }],
      systemPrompt: 'You are a helpful file system assistant.',
      includeContext: 'thisServer',
      maxTokens: 100,
      temperature: 0.1,
      stopSequences: ['\n\n'],
      metadata: { 用途: '教程' },
      modelPreferences: {
        hints: [{ name: 'claude-3-sonnet' }, { name: 'claude' }],
        costPriority: 0.2,
        speedPriority: 0.5,
        intelligencePriority: 0.9,
      },
    });
    return text(`${completion.model} ${completion.stopReason}: ${messageText(completion)}`);
  },
);

const lookAt = tool('look_at', {}, async (_args, ctx) => {
  const completion = await sample(ctx, 'picture', {
    messages: [
      { role: 'user', content: { type: 'image', data: 'R0lGODlhAQABAAAAACw=', mimeType: 'image/gif' } },
    ],
    maxTokens: 20,
  });
  return text(messageText(completion));
});

/** One handler for every revision: work done once, three questions one after the other, two of them of the same kind. */
const interview = (label: string): Tool =>
  tool('interview', {}, async (_args, ctx) => {
    const begun = await ctx.step('begun', () => label);
    const roots = await listRoots(ctx);
    const poem = await sample(ctx, 'poem', {
      messages: [{ role: 'user', content: text(`为 ${roots[0]?.name} 写诗`) }],
      maxTokens: 50,
    });
    const review = await sample(ctx, 'review', {
      messages: [{ role: 'user', content: text(`评价：${messageText(poem)}`) }],
      maxTokens: 50,
    });
    return [text(messageText(review)), text(`begun by ${begun}, ended by ${label}`)];
  });

const workspace = tool('workspace', {}, async (_args, ctx) => {
  try {
    const roots = await listRoots(ctx);
    return text(JSON.stringify(roots.map(({ uri, name }) => [uri, name])));
  } catch (error) {
    if (!RxmcpError.is(error, 'ASK_UNAVAILABLE')) throw error;
    return text(`the server's own folder: file:///srv (${error.message})`);
  }
});

/** Looks twice, with a question to the model in between. */
const lookTwice = tool('look_twice', {}, async (_args, ctx) => {
  const before = await listRoots(ctx, 'before');
  await sample(ctx, 'pause', { messages: [{ role: 'user', content: text('?') }], maxTokens: 1 });
  const after = await listRoots(ctx, 'after');
  return text([before, after].map((roots) => roots.map(({ uri }) => uri).join(' ')).join(' | '));
});

/** A boundary only where its author chose one. */
const openPath = tool(
  'open_path',
  { input: z.object({ path: z.string(), bounded: z.boolean() }) },
  async ({ path, bounded }, ctx) => {
    const roots = await listRoots(ctx);
    return text(bounded ? await resolveWithinRoots(path, roots) : path);
  },
);

const register = tool('register', {}, async (_args, ctx) => {
  const answer = await elicit(ctx, 'who', { message: '请输入姓名', schema: form({ 姓名: stringField() }) });
  return text(answer.action === 'accept' ? `欢迎，${answer.content.姓名}` : answer.action);
});

const needy = tool('needs_model', { needs: ['sampling'] }, () => text('ran'));

const brief = prompt('brief', {}, async (_args, ctx) => {
  const roots = await listRoots(ctx);
  return user(`请总结 ${roots.map(({ name }) => name).join('、')}`);
});

const places = resource('roots://mine', { mimeType: 'text/plain' }, async (_vars, ctx) => {
  const roots = await listRoots(ctx);
  return roots.map(({ uri }) => uri).join('\n');
});

/** Everything that asks the client: `{ requestStateKeys: [{ id, secret }] }` lets servers continue each other's rounds, `label` distinguishes them. */
export function asking({ requestStateKeys, label = 'one' }: JsonObject): Server {
  let changes = 0;
  const counted = tool('root_changes', {}, () => text(String(changes)));
  return defineServer({
    info: { name: 'asking', version: '1.0.0' },
    offers: [
      offerTools([
        askFiles,
        lookAt,
        lookTwice,
        openPath,
        interview(String(label)),
        workspace,
        register,
        needy,
        counted,
      ]),
      offerPrompts([brief]),
      offerResources([places]),
      onRootsChanged(() => (changes += 1)),
    ],
    ...(Array.isArray(requestStateKeys)
      ? { requestStateKeys: requestStateKeys as readonly RequestStateKey[] }
      : {}),
  });
}
