import { RxmcpError, once, RpcError } from 'rxmcp';
import { prompts } from 'rxmcp/prompts';
import { isResourceNotFound, resources } from 'rxmcp/resources';
import type { Root } from 'rxmcp/roots';
import { offerRoots } from 'rxmcp/roots';
import { offerSampling } from 'rxmcp/sampling';
import { tools } from 'rxmcp/tools';
import type { Observable } from 'rxjs';
import { Subject } from 'rxjs';
import { expect, it, vi } from 'vitest';
import { each } from './harness.js';

const server = 'failing';
const secret = 'hunter2';

const failureOf = (call: Observable<unknown>): Promise<unknown> =>
  once(call).then(
    (value) => value,
    (error: unknown) => error,
  );

each('an RpcError of an author arrives with code, message and data', { server }, async ({ connect }) => {
  const { remote } = await connect();
  const calls = [
    tools(remote).call('refusing'),
    prompts(remote).get('refusing'),
    resources(remote).read('test://refusing'),
    remote.request('test/refusing'),
  ];
  for (const call of calls) {
    const error = await failureOf(call);
    expect(RpcError.is(error)).toBe(true);
    expect(error).toMatchObject({ code: 1042, message: 'the quota is used up', data: { resetsInMs: 5 } });
  }
});

each('a ToolError of an author is a result for the model', { server }, async ({ connect }) => {
  const { remote } = await connect();
  expect(await once(tools(remote).call('failing'))).toMatchObject({
    isError: true,
    content: [{ type: 'text', text: 'the file is locked, try again later' }],
  });
});

each(
  'any other error becomes a general text with a number that the faults explain',
  { server },
  async (cell) => {
    const { remote, received } = await cell.connect();
    const failures = {
      tool: await failureOf(tools(remote).call('broken')),
      prompt: await failureOf(prompts(remote).get('broken')),
      resource: await failureOf(resources(remote).read('test://broken')),
      own: await failureOf(remote.request('test/broken')),
    };
    for (const [where, failure] of Object.entries(failures)) {
      const text = failure instanceof Error ? failure.message : JSON.stringify(failure);
      expect(text, where).toMatch(/\(reference [0-9a-f]{8}\)/);
      if (where === 'tool') expect(failure).toMatchObject({ isError: true });
      else expect(failure, where).toMatchObject({ code: -32603 });
    }
    expect(JSON.stringify(received)).not.toContain(secret);
    await vi.waitFor(() => {
      expect(cell.place.faults.map(({ code }) => code)).toEqual(Array(4).fill('HANDLER_FAILED'));
    });
    for (const { message } of cell.place.faults) expect(message).toContain(secret);
  },
);

each(
  'an error of a client handler does not reach the server',
  { server: 'asking', needs: { clientReplies: true } },
  async (cell) => {
    const model = (): never => {
      throw new Error(secret);
    };
    const roots = new Subject<readonly Root[]>();
    const offers = [offerSampling(model, { approve: 'dangerouslyAlways' }), offerRoots(roots)];
    const { remote, sent, faults } = await cell.connect({ offers });
    roots.error(new Error(secret));
    for (const [name, args] of [
      ['ask_files', { question: '?' }],
      ['workspace', {}],
    ] as const) {
      const failure = await failureOf(tools(remote).call(name, args));
      expect(failure instanceof Error || (failure as { isError?: boolean }).isError, name).toBe(true);
    }
    expect(JSON.stringify(sent)).not.toContain(secret);
    await vi.waitFor(() => expect(faults.length).toBeGreaterThanOrEqual(2));
  },
);

each('a missing resource is -32002, and -32602 since 2026-07-28', { server }, async ({ connect, era }) => {
  const { remote } = await connect();
  for (const uri of ['test://gone', 'test://never-was']) {
    const error = await failureOf(resources(remote).read(uri));
    expect(error).toMatchObject({ code: era === 'legacy' ? -32002 : -32602, data: { uri } });
    expect(isResourceNotFound(error)).toBe(true);
  }
});

it('reserved codes are refused where an error is made', () => {
  for (const code of [-32000, -32020, -32099, -32768, 1.5]) {
    expect(() => new RpcError(code, 'mine'), String(code)).toThrow(TypeError);
  }
  for (const code of [-32700, -32600, -32601, -32602, -32603, -31999, -1, 42]) {
    expect(new RpcError(code, 'mine')).toMatchObject({ code });
  }
  expect(RxmcpError.is(new RxmcpError('TIMEOUT', 'late'), 'TIMEOUT')).toBe(true);
});
