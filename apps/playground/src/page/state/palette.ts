/** A line of the command palette. */
export interface Command {
  readonly label: string;
  /** What else is searched, and shown next to the label. */
  readonly detail: string;
  run(): void;
}

const maxShown = 50;

/** Returns the commands that have every word of a query, those whose label begins with it first; at most 50. */
export function matchingCommands(commands: readonly Command[], query: string): readonly Command[] {
  const text = query.trim().toLowerCase();
  const words = text.split(/\s+/);
  const found = commands.flatMap((command) => {
    const label = command.label.toLowerCase();
    const all = `${label} ${command.detail.toLowerCase()}`;
    if (!words.every((word) => all.includes(word))) return [];
    return [
      { command, rank: label.startsWith(text) ? 0 : words.every((word) => label.includes(word)) ? 1 : 2 },
    ];
  });
  return found
    .sort((a, b) => a.rank - b.rank)
    .slice(0, maxShown)
    .map(({ command }) => command);
}
