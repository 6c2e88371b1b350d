import type { Server } from 'rxmcp';
import { defineServer } from 'rxmcp';
import { offerLogging } from 'rxmcp/logging';
import { offerPrompts } from 'rxmcp/prompts';
import { offerResources } from 'rxmcp/resources';
import { offerTools } from 'rxmcp/tools';
import { changingLists } from './changing-lists.js';
import { completionsOfTheSuite } from './completions.js';
import { promptsOfTheSuite } from './prompts.js';
import { resourcesOfTheSuite } from './resources.js';
import { askingTools } from './tools/asking.js';
import { contentTools } from './tools/content.js';
import { formTools } from './tools/forms.js';
import { reportingTools } from './tools/reporting.js';
import { roundTools } from './tools/rounds.js';
import { schemaTools } from './tools/schemas.js';

/** The server that the official suite examines: its tools, resources and prompts have the names that the suite asks for. */
export function conformanceServer(): Server {
  const lists = changingLists({
    // The suite calls the first tool without arguments.
    tools: [...contentTools, ...reportingTools, ...askingTools, ...formTools, ...roundTools, ...schemaTools],
    prompts: promptsOfTheSuite,
  });
  return defineServer({
    info: { name: 'rxmcp-conformance', version: '1.0.0' },
    offers: [
      offerTools(lists.tools$),
      offerPrompts(lists.prompts$),
      offerResources(resourcesOfTheSuite),
      offerLogging(),
      completionsOfTheSuite,
    ],
  });
}
