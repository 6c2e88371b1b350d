const head = /^\{"jsonrpc":"2\.0",(?:"id":(?:"(?:[^"\\]|\\.)*"|[^",]*),)?"method":/;

/**
 * Whether a line is a request or a notification of this side, which no reading caused. A line whose members stand in
 * another order than the usual one is taken for an answer.
 */
export function isOwn(line: string): boolean {
  return head.test(line);
}
