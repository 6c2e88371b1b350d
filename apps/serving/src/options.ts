/** An option of a command line, without its dashes. */
export interface OptionSpec {
  /** The placeholder of its value in the help; absent = the option takes no value. */
  readonly value?: string;
  /** Whether it may be repeated. */
  readonly repeats?: true;
  /** What it does, in one sentence of the help. */
  readonly help: string;
}

/** Options by name. */
export type OptionTable = Readonly<Record<string, OptionSpec>>;

/** The values of options, by name; absent = not given. */
export type OptionValues<Table extends OptionTable> = {
  readonly [Name in keyof Table]?: Table[Name] extends { readonly value: string }
    ? Table[Name] extends { readonly repeats: true }
      ? readonly string[]
      : string
    : boolean;
};

/** Where a command serves, as its help says it. */
export const placeOptions = {
  stdio: { help: 'Serves one client on standard input and output: the default without a port.' },
  http: { value: 'PORT', help: 'Serves Streamable HTTP at http://127.0.0.1:PORT/mcp; 0 is a free port.' },
  sse: { value: 'PORT', help: 'Serves HTTP+SSE at http://127.0.0.1:PORT/sse.' },
  ws: { value: 'PORT', help: 'Serves WebSockets at ws://127.0.0.1:PORT/mcp.' },
} as const;

/** Serves over a transport of the user's own. */
export const moduleOption = {
  value: 'FILE',
  help: 'Serves with the export "serve" of a module, a function that takes a connection handler.',
} as const;

/** What every program prints instead of its work. */
export const infoOptions = {
  help: { help: 'Prints this text.' },
  version: { help: 'Prints the version.' },
} as const;

const column = 28;

/** The lines of a help that say what each option does. */
export function optionLines(options: OptionTable): string {
  return Object.entries(options)
    .map(([name, { value = '', help, repeats }]) => {
      const head = `  --${name} ${value}`.padEnd(column);
      return `${head}${help}${repeats === true ? ' May be repeated.' : ''}`;
    })
    .join('\n');
}
