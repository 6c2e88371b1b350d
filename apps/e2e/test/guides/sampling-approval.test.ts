import { once } from 'rxmcp';
import type { Approval, CreateMessageParams, SamplingReview } from 'rxmcp/sampling';
import { offerSampling } from 'rxmcp/sampling';
import { tools } from 'rxmcp/tools';
import { expect } from 'vitest';
import type { Cell } from '../matrix/harness.js';
import { each } from '../matrix/harness.js';

const scenario = { server: 'asking', needs: { clientReplies: true } } as const;

/** Asks for a completion with approval, and returns what the user saw, what the model got and how the call ended. */
async function asked({ connect }: Cell, person: (review: SamplingReview) => Approval) {
  const seen: SamplingReview[] = [];
  const got: CreateMessageParams[] = [];
  const approve = (review: SamplingReview): Approval => {
    seen.push(review);
    return person(review);
  };
  const model = Object.assign(
    (params: CreateMessageParams) => {
      got.push(params);
      return {
        role: 'assistant' as const,
        content: { type: 'text' as const, text: '原文' },
        model: 'stand-in-1',
      };
    },
    { modelName: 'stand-in' },
  );
  const desk = await connect({ offers: [offerSampling(model, { approve, context: true })] });
  const outcome: unknown = await once(tools(desk.remote).call('ask_files', { question: '什么？' })).then(
    ({ content }) => content[0],
    (error: unknown) => error,
  );
  return { ...desk, seen, got, outcome };
}

const passing: Approval = { action: 'approve' };

each('sampling approval: the user sees request and completion', scenario, async (cell) => {
  const { seen, outcome } = await asked(cell, () => passing);
  expect(seen).toMatchObject([
    {
      stage: 'request',
      model: 'stand-in',
      params: {
        messages: [{ role: 'user', content: { type: 'text', text: '什么？' } }],
        systemPrompt: 'You are a helpful file system assistant.',
        includeContext: 'thisServer',
      },
    },
    { stage: 'completion', model: 'stand-in-1', result: { content: { type: 'text', text: '原文' } } },
  ]);
  expect(outcome).toEqual({ type: 'text', text: 'stand-in-1 undefined: 原文' });
});

each('sampling approval: the model gets the edited request', scenario, async (cell) => {
  const { got, outcome } = await asked(cell, (review) =>
    review.stage === 'request'
      ? { action: 'edit', params: { ...review.params, systemPrompt: '只答一个字', maxTokens: 1 } }
      : passing,
  );
  expect(got).toMatchObject([{ systemPrompt: '只答一个字', maxTokens: 1 }]);
  expect(outcome).toMatchObject({ type: 'text' });
});

each('sampling approval: the server gets the edited completion', scenario, async (cell) => {
  const { outcome, sent } = await asked(cell, (review) =>
    review.stage === 'completion'
      ? { action: 'edit', result: { ...review.result, content: { type: 'text', text: '改写' } } }
      : passing,
  );
  expect(outcome).toEqual({ type: 'text', text: 'stand-in-1 undefined: 改写' });
  expect(JSON.stringify(sent)).not.toContain('原文');
});

for (const stage of ['request', 'completion'] as const) {
  each(
    `sampling approval: a rejected ${stage} is code -1 before 2026-07-28, and no retry since`,
    scenario,
    async (cell) => {
      const { got, outcome, sent } = await asked(cell, (review) =>
        review.stage === stage ? { action: 'reject', reason: '不行' } : passing,
      );
      expect(got).toHaveLength(stage === 'request' ? 0 : 1);
      expect(JSON.stringify(sent)).not.toContain('原文');
      const calls = sent.filter(({ method }) => method === 'tools/call');
      expect(calls).toHaveLength(1);
      if (cell.era === 'modern') {
        expect(outcome).toMatchObject({
          code: 'ASK_REJECTED',
          message: expect.stringContaining('不行') as string,
        });
        return;
      }
      expect(sent.filter(({ error }) => error !== undefined)).toMatchObject([{ error: { code: -1 } }]);
      expect(outcome).toMatchObject({ code: -1, message: expect.stringContaining('不行') as string });
    },
  );
}
