import { type Block, blocksOf } from '../docs/page.js';

/** What a page says to do. */
export type Step =
  | { readonly does: 'write'; readonly file: string; readonly text: string }
  | {
      readonly does: 'run';
      readonly commands: readonly string[];
      readonly exit: number;
      /** A part of what the commands print. */
      readonly says: string;
      /** All that the last command prints, where the page shows it. */
      readonly shown?: string;
    };

/**
 * Reads the steps of a page, as one who sees only the rendered page and not the titles of its blocks.
 * @throws an Error for a block whose file, and an output whose command, the prose does not name
 */
export function steps(text: string): Step[] {
  return blocksOf(text).map((block): Step => {
    const { title = '', exit = '0', says = '' } = block.says;
    if (block.language === 'console' || block.language === 'sh')
      return { does: 'run', commands: block.text.trim().split('\n'), exit: Number(exit), says };
    if (/(?:^|\/)output$/.test(title))
      return { does: 'run', commands: commandsOf(block), exit: 0, says: '', shown: block.text };
    return { does: 'write', file: fileOf(block), text: block.text };
  });
}

/** The name of the file of a block: the last code in the prose before it that its title ends with. */
function fileOf({ before, says: { title = '' }, text }: Block): string {
  const name = codeOf(before).findLast((code) => title === code || title.endsWith(`/${code}`));
  if (name === undefined)
    throw new Error(`the prose before a block does not name its file ${title}:\n${text.slice(0, 200)}`);
  return name;
}

/** The commands of the paragraph before an output, as in "`npx tsc && node main.js` prints". */
function commandsOf({ before, text }: Block): string[] {
  const paragraph =
    before
      .trim()
      .split(/\n\s*\n/)
      .at(-1) ?? '';
  const commands = codeOf(paragraph).filter((code) => /^(?:node|npx|npm) /.test(code));
  if (commands.length === 0) throw new Error(`the paragraph before an output has no command:\n${text}`);
  return commands;
}

function codeOf(prose: string): string[] {
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}
