import type { JsonObject } from 'rxmcp';
import type { ToolInfo } from 'rxmcp/tools';
import { allowed, objectOr } from './typed.js';

/** More choices are not shown. */
const maxChoices = 6;

/** Returns the arguments of a tool as they are written on a command line, optional ones in brackets: `city=STRING [days=INTEGER]`. */
export function usageOf({ inputSchema }: Pick<ToolInfo, 'inputSchema'>): string {
  const { properties, required } = inputSchema;
  const names = Array.isArray(required) ? (required as unknown[]) : [];
  const all = Object.entries(objectOr(properties)).map(([name, property]) => ({
    isRequired: names.includes(name),
    text: argumentOf(name, objectOr(property), inputSchema),
  }));
  const optional = all.filter(({ isRequired }) => !isRequired).map(({ text }) => `[${text}]`);
  return [...all.filter(({ isRequired }) => isRequired).map(({ text }) => text), ...optional].join(' ');
}

function argumentOf(name: string, schema: JsonObject, root: JsonObject): string {
  const { types, values, items } = allowed(schema, root);
  if (values.length > 0) return `${name}=${choices(values)}`;
  const kinds = [...types].filter((type) => type !== 'null');
  const [kind = 'any'] = kinds;
  if (kinds.length > 1) return `${name}=${kinds.join('|').toUpperCase()}`;
  if (kind === 'object') return `${name}:=OBJECT`;
  if (kind === 'boolean') return `${name}=true|false`;
  if (kind !== 'array') return `${name}=${kind.toUpperCase()}`;
  const each = argumentOf(name, items, root);
  return each.startsWith(`${name}=`) ? `${each}...` : `${name}:=ARRAY`;
}

function choices(values: readonly unknown[]): string {
  const texts = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return [...texts.slice(0, maxChoices), ...(texts.length > maxChoices ? ['...'] : [])].join('|');
}
