/** Foreign text as a block that cannot be left from inside: its fence is longer than any in the text. */
export function fenced(content: string, language = ''): string {
  const longest = (content.match(/`{3,}/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${content}${content.endsWith('\n') ? '' : '\n'}${fence}`;
}
