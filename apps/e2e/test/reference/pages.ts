import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../repository.js';
import { errorsPage } from './errors.js';
import { limitsPage } from './limits.js';
import { reliabilityPage } from './reliability.js';
import { sources } from './sources.js';

const rules = 'docs/reference/transport-rules.md';

/** The generated pages, by their paths from the root of the repository. */
export const generatedPages: Readonly<Record<string, () => string>> = {
  'docs/reference/errors.md': () => `${errorsPage()}\n`,
  'docs/reference/limits.md': () => `${limitsPage()}\n`,
  'docs/reference/reliability.md': () => `${reliabilityPage()}\n`,
  [rules]: rulesPage,
};

/** What a rule needs, by the name of the condition in the kit. */
const needs: Readonly<Record<string, string>> = {
  requiresLocalServer: 'local',
  requiresOutOfProcessServer: 'remote',
  condition: 'injectFrame hook, local',
  requiresInjectFrame: 'injectFrame hook',
  requiresCut: 'cut hook',
  requiresOtherCuts: 'otherCuts',
  countable: 'Node',
  requiresLaneCut: 'cutLane hook',
  requiresRelay: 'relay',
  requiresOwnWire: 'relay with frame, or with lanes',
  requiresByteRelay: 'relay of bytes',
  requiresResidue: 'residue hook',
  requiresFirstMessageTimeout: 'firstMessageTimeoutMs',
  requiresReadPausing: 'pausesReading',
  requiresServerInitiates: 'serverInitiates',
  requiresClientReplies: 'clientReplies',
  requiresHeaders: 'carriesHeaders',
  requiresRedial: 'redialable',
  requiresSharedLane: "lanes 'shared'",
  requiresLanePerRequest: "lanes 'per-request'",
  requiresConnectionIdScope: "idScope 'connection'",
  requiresLaneIdScope: "idScope 'lane'",
  requiresMessageLimit: 'maxMessageBytes up to 64 MiB',
  requiresAcceptAtDial: "acceptsAt 'dial'",
  requiresAcceptAfterDial: "acceptsAt not 'dial'",
  requiresSession: "acceptsAt 'session'",
  requiresEndpoint: "acceptsAt 'endpoint'",
  requiresLaneEnd: "acceptsAt not 'session'",
  requiresConnectionPerClient: "acceptsAt not 'endpoint'",
  requiresLaneResumption: 'resumesLanes',
  requiresNoLaneResumption: 'not resumesLanes',
  // What `unless` names.
  serverInitiates: 'not serverInitiates',
  clientReplies: 'not clientReplies',
  carriesHeaders: 'not carriesHeaders',
  redialable: 'not redialable',
};

/** Returns the page of transport rules with the rules of the kit. The table of the official transports is kept as it is. */
function rulesPage(): string {
  const page = readFileSync(join(repository, rules), 'utf8');
  const [introduction = ''] = page.split('\n### ', 1);
  const [, official = ''] = page.split('## The official transports\n');
  const groups = new Map<string, string[]>();
  for (const { pkg, text } of sources()) {
    if (pkg !== '@rxmcp/transport-tck') continue;
    for (const [, id = '', single, double, back, rest = ''] of text.matchAll(
      /\bid: '([\w/-]+)',\s+description:\s+(?:'([^'\n]*)'|"([^"\n]*)"|`([^`\n]*)`),([\s\S]*?)verify/g,
    )) {
      const names = /skipIf:([\s\S]*)/.exec(rest)?.[1]?.match(/\w+/g) ?? [];
      const labels = names.flatMap((name) => needs[name] ?? []);
      const [group = ''] = id.split('/');
      const row = `| \`${id}\` | ${single ?? double ?? back ?? ''} | ${labels.join(', ')} <a name="${id.replace('/', '-')}"></a> |`;
      groups.set(group, [...(groups.get(group) ?? []), row]);
    }
  }
  const sections = [...groups].map(
    ([group, rows]) =>
      `### ${group}\n\n| rule | what it says | needs |\n| --- | --- | --- |\n${rows.join('\n')}\n`,
  );
  return `${introduction}\n${sections.join('\n')}\n## The official transports\n${official}`;
}
