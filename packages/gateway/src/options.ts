import type { PromptInfo } from '@rxmcp/prompts';
import type { ResourceInfo, TemplateInfo } from '@rxmcp/resources';
import type { ToolInfo } from '@rxmcp/tools';

/** A list entry of the other server, by its kind. */
export interface GatewayItem {
  readonly tool: ToolInfo;
  readonly prompt: PromptInfo;
  readonly resource: ResourceInfo;
  readonly template: TemplateInfo;
}

/** Options of `offerRemote`. */
export interface OfferRemoteOptions {
  /**
   * Precedes the names of tools and prompts, with a `-`: `list` becomes `github-list`. 1 to 32 of the characters
   * `A-Z a-z 0-9 _ -`. URIs do not change. A tool's name of at most 64 characters (128 if it was longer) stays so: a
   * hash replaces its end. @default none
   */
  readonly prefix?: string;
  /** Returns whether an item is offered. It receives the list entry as the other server sent it. @default all are */
  readonly filter?: <Kind extends keyof GatewayItem>(item: GatewayItem[Kind], kind: Kind) => boolean;
  /** Returns the name under which a tool or prompt is offered. `prefix` is added to it. @default the name itself */
  readonly rename?: (name: string, kind: 'tool' | 'prompt') => string;
}
