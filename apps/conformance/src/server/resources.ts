import { BehaviorSubject } from 'rxjs';
import type { Offered } from 'rxmcp/resources';
import { resource, template } from 'rxmcp/resources';
import { pixel } from './samples.js';

/** The first of them is read by itself. */
export const resourcesOfTheSuite: readonly Offered[] = [
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
