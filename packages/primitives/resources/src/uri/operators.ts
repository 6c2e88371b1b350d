/** How the expressions of a uri template begin; the empty one is that of `{v}` (RFC 6570 section 2.2). */
export type OperatorSign = '' | '+' | '#' | '.' | '/' | ';' | '?' | '&';

/** What an operator does with its values (RFC 6570 appendix A). */
export interface Operator {
  readonly sign: OperatorSign;
  /** What stands before the first value. */
  readonly first: string;
  /** What stands between values. */
  readonly between: string;
  /** Whether each value stands behind the name of its variable. */
  readonly named: boolean;
  /** What stands between a name and an empty value. */
  readonly ifEmpty: '' | '=';
  /** Whether reserved characters stay as they are. */
  readonly reserved: boolean;
  /** Whether its variables may be left out where a uri is read. */
  readonly optional: boolean;
}

/** The operator of a sign; undefined for those that RFC 6570 keeps for later, and for a letter. */
export function operatorOf(sign: string): Operator | undefined {
  return operators.get(sign);
}

const rows: readonly Operator[] = [
  { sign: '', first: '', between: ',', named: false, ifEmpty: '', reserved: false, optional: false },
  { sign: '+', first: '', between: ',', named: false, ifEmpty: '', reserved: true, optional: false },
  { sign: '#', first: '#', between: ',', named: false, ifEmpty: '', reserved: true, optional: true },
  { sign: '.', first: '.', between: '.', named: false, ifEmpty: '', reserved: false, optional: true },
  { sign: '/', first: '/', between: '/', named: false, ifEmpty: '', reserved: false, optional: true },
  { sign: ';', first: ';', between: ';', named: true, ifEmpty: '', reserved: false, optional: true },
  { sign: '?', first: '?', between: '&', named: true, ifEmpty: '=', reserved: false, optional: true },
  { sign: '&', first: '&', between: '&', named: true, ifEmpty: '=', reserved: false, optional: true },
];
const operators: ReadonlyMap<string, Operator> = new Map(rows.map((row) => [row.sign, row]));
