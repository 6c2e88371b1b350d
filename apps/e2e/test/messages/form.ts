import type { Message } from './collect.js';

/** Words that a message says in another way; each with what to write instead. */
const avoided: readonly (readonly [RegExp, string])[] = [
  [/\b(?:told|tells?|telling)\b/i, 'reported, sent, described'],
  [/\b(?:hears?|heard|hearing)\b/i, 'receives, handles'],
  [/\b(?:nobody|somebody|anybody|whoever)\b/i, 'name the party: the client, the server, no handler'],
  [/\b(?:is|are) (?:none|no) \w+/i, 'is not a ...'],
  [/\b(?:beside|strangers?|house|lawful)\b/i, 'next to, another, this project, valid'],
  [
    /\b(?:gone|gave up|gives? up|given up|takes? back|taken back|took back)\b/i,
    'closed, timed out, cancelled',
  ],
  [/\brefus(?:e|es|ed|al|als)\b/i, 'rejects, rejected'],
  [/\b(?:has|have|had) left\b|\bvanish(?:es|ed)?\b/i, 'disconnected, unsubscribed'],
  [/\bgo(?:es)? (?:out|on|over|wrong)\b/i, 'is sent, continues, moves to, fails'],
  [/\bof (?:one's|its|your) own\b/i, 'custom'],
  [/\b(?:by itself|by themselves|at hand|not wanted)\b/i, 'automatically, available, not needed'],
  [
    /\b(?:gave|found out|sign of life|side by side|in one breath)\b/i,
    'returned, determined, progress, next to',
  ],
];

/** What is wrong with the form of a message; empty where nothing is. */
export function problemsOf({ type, text }: Message): string[] {
  const problems: string[] = [];
  for (const [pattern, instead] of avoided) {
    const word = pattern.exec(text)?.[0];
    if (word !== undefined) problems.push(`"${word}": write ${instead}`);
  }
  if (text !== text.trim() || / {2}/.test(text)) problems.push('has spaces at an end, or two in a row');
  if (/^[A-Z][a-z]+ /.test(text)) problems.push('begins with a capital, which is for names only');
  if (/[^.]\.$/.test(text) && !/\. /.test(text)) problems.push('is one sentence and ends with a full stop');
  if (text.length > 240) problems.push(`has ${text.length} characters, more than 240`);
  if (isUsage(type) && !namesThing(text)) problems.push('names no option, argument or value');
  return problems;
}

/** Errors about what the program passed; the others may be about a connection or a request that their fields name. */
function isUsage(type: string): boolean {
  return type === 'TypeError' || type === 'RangeError';
}

/** A value that is filled in, a quoted or backticked name, or a call such as `resource()`. */
function namesThing(text: string): boolean {
  return /\$\{\}|"[^"]+"|`[^`]+`|\w\(/.test(text);
}
