import { once } from 'rxmcp';
import type { CreateMessageParams, CreateMessageResult, OfferSamplingOptions } from 'rxmcp/sampling';
import { offerSampling } from 'rxmcp/sampling';
import { tools } from 'rxmcp/tools';
import { expect } from 'vitest';
import { asksIn } from '../matrix/asks-in.js';
import { each } from '../matrix/harness.js';

const server = 'asking';
const needs = { clientReplies: true };
const question = '当前目录里有哪些文件？';

/** A model that keeps what it was asked and answers the same thing always. */
function recordingModel(answer: Partial<CreateMessageResult> = {}) {
  const asked: CreateMessageParams[] = [];
  const model = (params: CreateMessageParams): CreateMessageResult => {
    asked.push(params);
    return {
      role: 'assistant',
      content: { type: 'text', text: '三个文件' },
      model: 'stand-in-1',
      stopReason: 'endTurn',
      ...answer,
    };
  };
  const offer = (options: Partial<OfferSamplingOptions> = {}) =>
    offerSampling(model, { approve: 'dangerouslyAlways', ...options });
  return { asked, offer };
}

each(
  'the request about the file system reaches the model with all its fields',
  { server, needs },
  async (cell) => {
    const { asked, offer } = recordingModel();
    const { remote } = await cell.connect({ offers: [offer({ context: true })] });
    expect(await once(tools(remote).call('ask_files', { question }))).toMatchObject({
      content: [{ type: 'text', text: 'stand-in-1 endTurn: 三个文件' }],
    });
    expect(asked).toEqual([
      {
        messages: [{ role: 'user', content: { type: 'text', text: question } }],
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
      },
    ]);
  },
);

each('context is requested only where the client declares it', { server, needs }, async ({ connect }) => {
  const { asked, offer } = recordingModel();
  const { remote, received } = await connect({ offers: [offer()] });
  await once(tools(remote).call('ask_files', { question }));
  expect(asked).toHaveLength(1);
  expect(asked[0]).not.toHaveProperty('includeContext');
  // Before that a client has no way to declare it, and leaves it out automatically.
  if (remote.version < '2025-11-25') return;
  expect(JSON.stringify(received)).not.toContain('includeContext');
});

each('the stop reason of the model arrives unchanged', { server, needs }, async ({ connect }) => {
  for (const stopReason of ['stopSequence', 'maxTokens', '其他原因']) {
    const { remote } = await connect({ offers: [recordingModel({ stopReason }).offer()] });
    expect(await once(tools(remote).call('ask_files', { question }))).toMatchObject({
      content: [{ text: `stand-in-1 ${stopReason}: 三个文件` }],
    });
  }
});

each('an image is part of a message', { server, needs }, async ({ connect }) => {
  const { asked, offer } = recordingModel();
  const { remote } = await connect({ offers: [offer()] });
  expect(await once(tools(remote).call('look_at'))).toMatchObject({ content: [{ text: '三个文件' }] });
  expect(asked[0]?.messages).toEqual([
    { role: 'user', content: { type: 'image', data: 'R0lGODlhAQABAAAAACw=', mimeType: 'image/gif' } },
  ]);
});

each('a client without a model is not asked', { server }, async ({ connect }) => {
  const { remote, received } = await connect();
  const { call } = tools(remote);
  const lacking = { message: expect.stringContaining('sampling') as string };
  await expect(once(call('ask_files', { question }))).rejects.toMatchObject(lacking);
  await expect(once(call('needs_model'))).rejects.toMatchObject(lacking);
  expect(asksIn(received)).toEqual([]);
});

each('a request is sent in the form of each era', { server, needs }, async ({ connect, era }) => {
  const { remote, sent, received } = await connect({ offers: [recordingModel().offer()] });
  await once(tools(remote).call('ask_files', { question }));
  expect(asksIn(received)).toEqual(['sampling/createMessage']);
  const requests = received.filter(({ method }) => method === 'sampling/createMessage');
  const calls = sent.filter(({ method }) => method === 'tools/call');
  expect([requests.length, calls.length]).toEqual(era === 'legacy' ? [1, 1] : [0, 2]);
});
