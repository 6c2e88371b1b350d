import type { ItemKind } from './authorize.js';

/** Where a list has its entries, and what an entry is allowed by. */
export interface ListOf {
  readonly kind: ItemKind;
  readonly member: string;
  readonly key: string;
}

/** Each list by its method. */
export const lists: ReadonlyMap<string, ListOf> = new Map([
  ['tools/list', { kind: 'tool', member: 'tools', key: 'name' }],
  ['prompts/list', { kind: 'prompt', member: 'prompts', key: 'name' }],
  ['resources/list', { kind: 'resource', member: 'resources', key: 'uri' }],
  ['resources/templates/list', { kind: 'template', member: 'resourceTemplates', key: 'uriTemplate' }],
]);
