import { BehaviorSubject } from 'rxjs';
import type { JsonObject, Server } from 'rxmcp';
import { defineServer, offerMethod } from 'rxmcp';
import type { Prompt } from 'rxmcp/prompts';
import { offerPrompts, prompt } from 'rxmcp/prompts';
import type { Resource } from 'rxmcp/resources';
import { offerResources, resource } from 'rxmcp/resources';
import type { Tool } from 'rxmcp/tools';
import { offerTools, tool } from 'rxmcp/tools';

/**
 * Lists that change and a resource that changes; `{ subscribe, listChanged, live }` says what of it is declared. The
 * method `test/change` changes everything at once.
 */
export function abilities({ subscribe, listChanged, live }: JsonObject): Server {
  const value = new BehaviorSubject('v1');
  const watched = resource('test://value', {}, value);
  const resources = new BehaviorSubject<readonly Resource[]>([watched]);
  const tools = new BehaviorSubject<readonly Tool[]>([named(1)]);
  const prompts = new BehaviorSubject<readonly Prompt[]>([asked(1)]);
  const change = offerMethod('test/change', {}, () => {
    value.next('v2');
    resources.next([watched, resource('test://new', {}, 'new')]);
    tools.next([named(1), named(2)]);
    prompts.next([asked(1), asked(2)]);
    return {};
  });
  return defineServer({
    info: { name: 'abilities', version: '1.0.0' },
    offers: [
      change,
      offerResources(resources, { subscribe: subscribe === true, listChanged: listChanged === true }),
      offerTools(live === true ? tools : tools.value),
      offerPrompts(live === true ? prompts : prompts.value),
    ],
  });
}

function named(number: number): Tool {
  return tool(`tool-${number}`, {}, () => 'ran');
}

function asked(number: number): Prompt {
  return prompt(`prompt-${number}`, {}, () => 'text');
}
