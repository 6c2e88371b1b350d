import { describe, expect, it } from 'vitest';
import { exhaustive } from '../../../vitest.exhaustive.js';
import { type Finished, useCli } from './cli.js';

const { run, served } = useCli();

const textOf = ({ lines }: Finished): unknown =>
  JSON.parse((lines[0] as { content: [{ text: string }] }).content[0].text);

const asking =
  (protocol: string) =>
  async (tool: string, input: string): Promise<Finished> =>
    run(['call', tool, '--approve', 'ask', '--protocol', protocol, ...(await served())], { input });

describe.each(['modern', 'legacy'])('with --protocol %s', (protocol) => {
  const ask = asking(protocol);

  it('shows the request and the completion, and approves both', async () => {
    const done = await ask('ask', 'a\napprove\n');
    expect(textOf(done)).toEqual({
      content: { type: 'text', text: 'The first sentence.' },
      model: 'extractive-summarizer',
    });
    expect(done.stderr).toContain('The server "fixture" asks your model');
    expect(done.stderr).toContain('system prompt:\n  | be brief\n');
    expect(done.stderr).toContain('user:\n  | The first sentence.\n');
    expect(done.stderr).toContain('The answer of extractive-summarizer');
    expect(done.code).toBe(0);
  });

  it('fills a form in, asking again for invalid values', async () => {
    const done = await ask('fill', 'f\nA\nAda\nblue\ng\n0\n\nmaybe\nno\ns\n');
    expect(textOf(done)).toEqual({ action: 'accept', content: { name: 'Ada', color: 'g', sure: false } });
    expect(done.stderr).toContain('Who are you?');
    expect(done.stderr).toContain('The server "fixture" asks you');
    expect(done.stderr).toContain('It must have at least 2 characters.');
    expect(done.stderr).toContain('g (Green)');
  });
});

// What a person types is read before an era is known of.
describe.each(exhaustive ? ['modern', 'legacy'] : ['modern'])('with --protocol %s in any era', (protocol) => {
  const ask = asking(protocol);

  it('edits the request', async () => {
    const done = await ask('ask', 'e\nAnother text,\nwith two lines.\n.\na\n');
    expect(textOf(done)).toMatchObject({ content: { text: 'Another text, with two lines.' } });
  });

  it('edits the completion', async () => {
    const done = await ask('ask', 'a\ne\nnothing to say\n.\n');
    expect(textOf(done)).toMatchObject({ content: { text: 'nothing to say' } });
  });

  it.each([
    ['request', 'r\n'],
    ['completion', 'a\nreject\n'],
    ['request, when the input has ended', ''],
    ['completion, when the answer ends early', 'a\nwhat?\n'],
  ])('rejects the %s', async (_what, input) => {
    const done = await ask('ask', input);
    expect(done.code).toBe(1);
    expect(done.stderr + done.stdout).toMatch(/reject/i);
  });

  it.each([
    ['decline', 'd\n'],
    ['cancel', 'c\n'],
    ['cancel', 'f\nAda\n'],
    ['decline', 'f\nAda\ng\n\n\nd\n'],
    ['cancel', 'f\nAda\ng\n\n\n'],
  ])('can %s a form', async (action, input) => {
    expect(textOf(await ask('fill', input))).toEqual({ action });
  });

  it('without a terminal has no model for the server, declines forms, and says what to do', async () => {
    const to = ['--protocol', protocol, ...(await served())];
    const asked = await run(['call', 'ask', ...to], { input: 'a\na\n' });
    expect(asked.code).toBe(1);
    expect(asked.stderr).toContain('the client did not declare sampling');
    expect(asked.stderr).toContain('pass --approve always: the server then gets a model');
    expect((await run(['call', 'ask', '--approve', 'never', ...to])).stderr).toContain(
      'did not declare sampling',
    );
    const form = await run(['call', 'fill', ...to], { input: 'f\n' });
    expect(textOf(form)).toEqual({ action: 'decline' });
    expect(form.stderr).toContain('declined a form');
  });

  it('with --approve always lets requests pass, and reports it', async () => {
    const done = await run([
      'call',
      'ask',
      '--approve',
      'always',
      '--protocol',
      protocol,
      ...(await served()),
    ]);
    expect(textOf(done)).toMatchObject({ model: 'extractive-summarizer' });
    expect(done.stderr).toContain('approved a completion unseen');
  });
});
