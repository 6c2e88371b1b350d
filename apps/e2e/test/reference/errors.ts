import { errorNotes, numberNotes } from './error-notes.js';
import { plain, sources, table, type Source } from './sources.js';

interface Code {
  readonly code: string;
  /** The class that has it, or what else it is the code of. */
  readonly of: string;
  readonly pkg: string;
  readonly says: string;
}

/** Returns the page of error codes: by class, then those of faults and issues, then the numbers on the wire. */
export function errorsPage(): string {
  const all = sources();
  const classes = all.flatMap(codesOfClasses);
  const owned = new Set(classes.map(({ code }) => code));
  const others = uniqueCodes(all.flatMap(codesOfFaults)).filter(({ code }) => !owned.has(code));
  const groups = [...new Set(classes.map(({ of }) => of))].sort();
  const unknown = [...errorNotes.keys()].filter(
    (code) => ![...classes, ...others].some((one) => one.code === code),
  );
  if (unknown.length > 0) throw new Error(`No source has the code ${unknown.join(', ')} of error-notes.ts.`);
  return [
    '# Error codes',
    'Generated from the sources by `pnpm --filter @rxmcp/app-e2e run reference`. Do not edit.',
    'Codes are stable. Every error has a `message` that names the thing, `retryable`, and an `outcome`: `not-sent`, `unknown` ' +
      '(the request may have run) or `answered`. `RpcError` is what the other side answered; its `code` is one of the numbers below.',
    ...groups.map((group) =>
      section(
        group,
        classes.filter(({ of }) => of === group),
      ),
    ),
    section('Faults, warnings and issues', others),
    '`faults$` reports what went wrong and ended nothing. A fault may also have a code of an error class above.',
    '## Numbers on the wire',
    table(
      ['code', 'name', 'meaning', 'what to do'],
      all.flatMap(numbers).sort(([a = ''], [b = '']) => Number(b) - Number(a)),
    ),
  ].join('\n\n');
}

function section(title: string, codes: readonly Code[]): string {
  const [first] = codes;
  const where = codes.every(({ pkg }) => pkg === first?.pkg) ? ` (${first?.pkg ?? ''})` : '';
  const rows = codes.map(({ code, says }) => {
    const [meaning, remedy] = noteOf(code);
    return [`\`${code}\``, meaning ?? says, remedy];
  });
  return `## ${title}${where}\n\n${table(['code', 'meaning', 'what to do'], rows)}`;
}

/** Returns the meaning, where the source has none, and the remedy. */
function noteOf(code: string): readonly [meaning: string | undefined, remedy: string] {
  const note = errorNotes.get(code);
  if (note === undefined) {
    throw new Error(
      `The code ${code} has no entry in apps/e2e/test/reference/error-notes.ts. Add what to do about it.`,
    );
  }
  return note;
}

/** Returns the members of each exported union `XCode` or `XErrorCode`, with the comments behind them. */
export function codesOfClasses({ text, pkg }: Pick<Source, 'text' | 'pkg'>): Code[] {
  const unions = text.matchAll(/export type (\w+Error)Code =((?:\s*\n\s*\| [^\n]*)+|\s[^\n]*;)/g);
  const fixed = text.matchAll(/class (\w+Error) extends Error[\s\S]*?\n {2}readonly code = '([A-Z_]+)'/g);
  return [
    ...[...unions].flatMap(([, of = '', body = '']) =>
      [...body.matchAll(/'([A-Z_]+)';?(?: *\/\/ (.*))?/g)].map(([, code = '', says = '']) => ({
        code,
        of,
        pkg,
        says: says.replace(/\.$/, ''),
      })),
    ),
    ...[...fixed].map(([, of = '', code = '']) => ({ code, of, pkg, says: '' })),
  ];
}

function codesOfFaults({ text, pkg }: Source): Code[] {
  const found = text.matchAll(/(?:\bcode: |\.code : )'([A-Z][A-Z_]+)'/g);
  return [...found].map(([, code = '']) => ({ code, of: 'fault', pkg, says: '' }));
}

function uniqueCodes(codes: readonly Code[]): Code[] {
  return [...new Map(codes.map((code) => [code.code, code])).values()].sort((a, b) =>
    a.code < b.code ? -1 : 1,
  );
}

/** Returns the exported constants that are JSON-RPC codes. */
function numbers({ text, pkg }: Source): string[][] {
  const found = text.matchAll(/(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*)?export const ([A-Z_]+) = (-3\d{4});/g);
  return [...found].map(([, comment = '', name = '', value = '']) => {
    const remedy = numberNotes.get(value);
    if (remedy === undefined)
      throw new Error(`The code ${value} has no entry in numberNotes of error-notes.ts.`);
    return [value, `\`${name}\` (${pkg})`, plain(comment), remedy];
  });
}
