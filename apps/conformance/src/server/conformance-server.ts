import { BehaviorSubject } from 'rxjs';
import { type Offer, type Server, defineServer } from 'rxmcp';
import { offerCompletion } from 'rxmcp/completion';
import { offerLogging } from 'rxmcp/logging';
import { offerPrompts } from 'rxmcp/prompts';
import { type ResourceDefinition, offerResources, resource, template } from 'rxmcp/resources';
import { offerTools } from 'rxmcp/tools';
import { changingLists } from './changing-lists.js';
import { promptsOfTheSuite } from './prompts.js';
import { pixel, contentTools } from './tools/content.js';
import { askingTools } from './tools/asking.js';
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

/** Suggestions for what the prompts and templates take. */
const completionsOfTheSuite: Offer = offerCompletion({
  prompts: { test_prompt_with_arguments: { arg1: ['test', 'testing', 'trial'], arg2: [] } },
  templates: { 'test://template/{id}/data': { id: ['1', '12', '123'] } },
});

/** The suite reads the first of them. */
const resourcesOfTheSuite: readonly ResourceDefinition[] = [
  resource(
    'test://static-text',
    { description: 'A text.', mimeType: 'text/plain' },
    'The text of a static resource.',
  ),
  resource('test://static-binary', { description: 'An image.', mimeType: 'image/png' }, { blob: pixel }),
  resource(
    'test://watched-resource',
    { description: 'A value that can be watched.', mimeType: 'text/plain' },
    new BehaviorSubject('The first value.'),
  ),
  template(
    'test://template/{id}/data',
    { description: 'Data of any id.', mimeType: 'application/json' },
    ({ id }) => JSON.stringify({ id, data: `Data of ${id}` }),
  ),
];
