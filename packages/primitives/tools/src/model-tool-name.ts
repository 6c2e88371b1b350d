import type { Fault } from '@rxmcp/core';

/** The most characters of a name that the API of OpenAI accepts. That of Anthropic accepts 128. */
export const maxModelNameChars = 64;

const accepted = new RegExp(`^[a-zA-Z0-9_-]{1,${maxModelNameChars}}$`);

/** Whether the APIs of models accept a name. MCP allows more, such as dots. */
export function isModelToolName(name: string): boolean {
  return accepted.test(name);
}

/** How many names a warning shows. */
const maxShown = 8;

type Report = (fault: Fault) => void;

/** Reports names that APIs of models reject, each once per offer; those that are known at the start in one fault. */
export class ModelNameWarning {
  readonly #known = new Set<string>();
  #pending: string[] = [];
  #report: Report | undefined;

  /** Notes a name, and reports it if the offer is in use. */
  check(name: string): void {
    if (isModelToolName(name) || this.#known.has(name)) return;
    this.#known.add(name);
    this.#pending.push(name);
    this.#flush();
  }

  /** Reports to a server from now on. */
  start(report: Report): void {
    this.#report = report;
    this.#flush();
  }

  #flush(): void {
    if (this.#report === undefined || this.#pending.length === 0) return;
    const names = this.#pending.splice(0);
    const shown = names.slice(0, maxShown).map((name) => JSON.stringify(name));
    const more = names.length > maxShown ? ` and ${names.length - maxShown} more` : '';
    this.#report({
      code: 'TOOL_NAME_INCOMPATIBLE',
      message:
        `tool ${shown.join(', ')}${more}: APIs of models reject this name. OpenAI accepts 1 to ${maxModelNameChars} characters, ` +
        'Anthropic 1 to 128: A-Z, a-z, 0-9, "_" and "-". Rename the tool, or pass its list through toOpenAiTools(list)',
      quiet: isProduction(),
    });
  }
}

function isProduction(): boolean {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.NODE_ENV === 'production';
}
