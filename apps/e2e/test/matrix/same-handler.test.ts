import type { JsonObject, Offer } from 'rxmcp';
import { once } from 'rxmcp';
import { offerRoots } from 'rxmcp/roots';
import { offerSampling, messageText } from 'rxmcp/sampling';
import type { CreateMessageParams } from 'rxmcp/sampling';
import { tools } from 'rxmcp/tools';
import { expect } from 'vitest';
import type { Cell } from './harness.js';
import { each, servedBy } from './harness.js';
import { switching } from './switching.js';

/** A client that has roots and a model, and what its model was asked. */
function answering(): { readonly offers: readonly Offer[]; readonly asked: string[] } {
  const asked: string[] = [];
  const model = ({ messages }: CreateMessageParams) => {
    const text = messages.map((message) => messageText(message)).join('\n');
    asked.push(text);
    return {
      role: 'assistant' as const,
      content: { type: 'text' as const, text: `答（${text}）` },
      model: 'stand-in',
    };
  };
  const sampling = offerSampling(model, { approve: 'dangerouslyAlways' });
  return { offers: [offerRoots([{ uri: 'file:///home/诗', name: '诗集' }]), sampling], asked };
}

const text = '答（评价：答（为 诗集 写诗））';
const scenario = { server: 'asking', needs: { clientReplies: true } } as const;

each(
  'one handler serves every revision: three asks, one after the other, each asked once',
  scenario,
  async (cell) => {
    const { offers, asked } = answering();
    const { remote, sent } = await cell.connect({ offers });
    expect(await once(tools(remote).call('interview'))).toMatchObject({
      content: [{ type: 'text', text }, { text: 'begun by one, ended by one' }],
    });
    expect(asked).toEqual(['为 诗集 写诗', '评价：答（为 诗集 写诗）']);
    const calls = sent.filter(({ method }) => method === 'tools/call');
    expect(calls).toHaveLength(cell.era === 'modern' ? 4 : 1);
  },
);

const keys = [{ id: '甲', secret: 'a secret of more than thirty-two characters' }];

/** A client before two servers: the first request of a call goes to one, its retries where `second` says. */
async function handedOver(
  cell: Cell,
  [first, other]: readonly [JsonObject, JsonObject],
  second: (retry: number) => boolean,
) {
  const own = await servedBy(cell.carrier, 'asking', { ...first, label: 'one' });
  const others = await servedBy(cell.carrier, 'asking', { ...other, label: 'two' });
  let retries = 0;
  const transport = switching(own.transport, others.transport, ({ params = {} }) => {
    return 'requestState' in params && second((retries += 1));
  });
  const { offers, asked } = answering();
  return { ...(await cell.connect({ offers, transport })), asked };
}

const modern = { ...scenario, era: 'modern' } as const;

each('retries reach another server that shares the state keys, and come back', modern, async (cell) => {
  const both = [{ requestStateKeys: keys }, { requestStateKeys: keys }] as const;
  const { remote, asked, sent } = await handedOver(cell, both, (retry) => retry % 2 === 1);
  expect(await once(tools(remote).call('interview'))).toMatchObject({
    content: [{ text }, { text: 'begun by one, ended by two' }],
  });
  expect(asked).toHaveLength(2);
  expect(sent.filter(({ method }) => method === 'tools/call')).toHaveLength(4);
});

each('a server with a newer key continues with what an older one sealed', modern, async (cell) => {
  const newer = { id: '乙', secret: 'another secret of more than thirty-two characters' };
  const rotated = [{ requestStateKeys: keys }, { requestStateKeys: [newer, ...keys] }] as const;
  const { remote } = await handedOver(cell, rotated, () => true);
  expect(await once(tools(remote).call('interview'))).toMatchObject({
    content: [{ text }, { text: 'begun by one, ended by two' }],
  });
});

each('a server without the keys refuses the state of another', modern, async (cell) => {
  const { remote } = await handedOver(cell, [{ requestStateKeys: keys }, {}], () => true);
  await expect(once(tools(remote).call('interview'))).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('requestState') as string,
  });
});
