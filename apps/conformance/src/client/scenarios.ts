import { callAddition, callAndComeBack } from './calls.js';
import { acceptDefaults, answerBetweenRounds } from './forms.js';
import { declareEverything, shakeHands } from './greeting.js';
import { callAllTools, callAsTold, useEverything } from './headers.js';
import { listOnly, sendSchemaBack } from './schemas.js';
import type { Setting } from './setting.js';

/** What the client does in each scenario of the suite. */
export const scenarios: ReadonlyMap<string, (setting: Setting) => Promise<void>> = new Map([
  ['initialize', shakeHands],
  ['request-metadata', declareEverything],
  ['tools_call', callAddition],
  ['sse-retry', callAndComeBack],
  ['elicitation-sep1034-client-defaults', acceptDefaults],
  ['sep-2322-client-request-state', answerBetweenRounds],
  ['http-standard-headers', useEverything],
  ['http-custom-headers', callAsTold],
  ['http-invalid-tool-headers', callAllTools],
  ['json-schema-ref-no-deref', listOnly],
  ['json-schema-2020-12-preservation', sendSchemaBack],
]);
