const request = /^\{"jsonrpc":"2\.0",(?:"id":(?:"(?:[^"\\]|\\.)*"|[^",]*),)?"method":/;

/** Whether a text is an answer, which reading caused. One whose members stand in an unusual order is taken for one. */
export function isAnswer(text: string): boolean {
  return !request.test(text);
}
