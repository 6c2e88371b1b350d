import { RxmcpError } from 'rxmcp';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { faultLines, safeLine, rateLimited } from '../src/fault-log.js';

const nasty = 'a\u001b[2J\u009b31m\r\nFAULT: forged\u202e\u2028\ud800\0';
// eslint-disable-next-line no-control-regex
const steering = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/;

describe('a line of standard error', () => {
  it('shows what could steer a terminal', () => {
    expect(safeLine(nasty)).toBe(
      'a\\u001b[2J\\u009b31m\\u000d\\u000aFAULT: forged\\u202e\\u2028\\ud800\\u0000',
    );
  });

  it.each(['x', '\u0000', '😀'])('has at most 1,024 characters of %j', (character) => {
    const line = safeLine(character.repeat(100_000));
    expect(line.length).toBeLessThanOrEqual(1_024);
    expect(line).toMatch(/…$/);
  });

  it('keeps what is harmless', () => expect(safeLine('größer 项目')).toBe('größer 项目'));
});

describe('a fault', () => {
  it('is one line, and its cause some indented ones', () => {
    const cause = new RxmcpError('INVALID_PARAMS', nasty, { cause: new Error('x\n'.repeat(1_000)) });
    const lines = faultLines({ code: 'HANDLER_FAILED', message: nasty, reference: '7', cause });
    expect(lines[0]).toMatch(/^HANDLER_FAILED \(reference 7\): a/);
    expect(lines.length).toBeLessThanOrEqual(14);
    for (const line of lines.slice(1)) expect(line).toMatch(/^ {4}/);
    for (const line of lines) expect(line).not.toMatch(steering);
  });

  it('of a huge cause is small', () => {
    const lines = faultLines({
      code: 'X',
      message: 'm',
      cause: { text: 'x'.repeat(1e7), all: Array(1e5).fill('y') },
    });
    expect(lines.join('\n').length).toBeLessThan(16 * 1_024);
  });
});

describe('a flood', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is written in part, and the rest counted', () => {
    const written: string[] = [];
    const write = rateLimited((text) => written.push(text));
    for (let at = 0; at < 1_000; at += 1) write([`fault ${at}`]);
    expect(written).toHaveLength(20);
    vi.advanceTimersByTime(10_000);
    expect(written.slice(20)).toEqual(['(980 more faults within 10 s were left out)\n']);
    write(['the next', '    one']);
    expect(written.at(-1)).toBe('the next\n    one\n');
    vi.advanceTimersByTime(10_000);
    expect(written).toHaveLength(22);
    expect(vi.getTimerCount()).toBe(0);
  });
});
