import { describe, expect, it } from 'vitest';
import { type Finished, useCli } from './cli.js';

const { run, served } = useCli();

const textOf = ({ lines }: Finished): unknown =>
  JSON.parse((lines[0] as { content: [{ text: string }] }).content[0].text);

describe.each(['modern', '2025-11-25'])('a form with --protocol %s', (protocol) => {
  const order = async (...typed: readonly string[]): Promise<Finished> =>
    run(['call', 'order', '--approve', 'ask', '--protocol', protocol, ...(await served())], {
      input: `${typed.join('\n')}\n`,
    });

  it('takes the defaults of skipped fields', async () => {
    const done = await order('f', 'ada@example.com', '', '', '', '-', '', 's');
    expect(textOf(done)).toEqual({
      action: 'accept',
      content: {
        mail: 'ada@example.com',
        day: '2026-07-28',
        size: 's',
        toppings: ['o'],
        extras: [],
        tip: 0.5,
      },
    });
    expect(done.stderr).toContain('several, with commas, 1 to 2');
    expect(done.stderr).toContain('s (Small) | l (Large)');
    expect(done.stderr).toContain('default ["o"]');
  });

  it('accepts values and titles, several of them, and an empty field', async () => {
    const done = await order('f', 'ada@example.com', '-', 'Large', 'h, Olives,h', 'knife, fork', '2', 's');
    expect(textOf(done)).toEqual({
      action: 'accept',
      content: {
        mail: 'ada@example.com',
        size: 'l',
        toppings: ['h', 'o'],
        extras: ['knife, fork'],
        tip: 2,
      },
    });
  });

  it('asks again for invalid values, and shows what would be sent', async () => {
    const typed = [
      'f',
      'ada',
      'a@b',
      'today',
      '2026-02-30',
      '',
      'xl',
      '',
      'h,o,c',
      'x',
      '-',
      'h',
      'napkin',
      '-1',
      'x',
      '1',
    ];
    const done = await order(...typed, 's');
    expect(textOf(done)).toMatchObject({ action: 'accept', content: { toppings: ['h'], tip: 1 } });
    for (const problem of [
      'It must be an e-mail address.',
      'It must be a date such as',
      'It must be one of the choices.',
      'It must hold at most 2.',
      'It must hold nothing but the choices.',
      'It must hold at least 1.',
      'It must be at least 0.',
      'It must be a number.',
      'would get: {"mail":"a@b"',
    ]) {
      expect(done.stderr).toContain(problem);
    }
  });

  it('asks again for an answer that is not one of the letters, and keeps what is filled in', async () => {
    const done = await order('y', 'f', 'ada@example.com', '', '', '', '-', '', '', 's');
    expect(textOf(done)).toMatchObject({ action: 'accept', content: { mail: 'ada@example.com' } });
    expect(done.stderr.match(/Please answer with one of the letters/g)).toHaveLength(2);
  });

  it('can be filled in again before it is sent', async () => {
    const rest = ['', '', '', '-', ''];
    const done = await order('f', 'old@example.com', ...rest, 'f', 'new@example.com', ...rest, 's');
    expect(textOf(done)).toMatchObject({ action: 'accept', content: { mail: 'new@example.com' } });
  });
});
