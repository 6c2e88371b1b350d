import { once } from 'rxmcp';
import { offerElicitation } from 'rxmcp/elicitation';
import { offerRoots } from 'rxmcp/roots';
import { offerSampling } from 'rxmcp/sampling';
import { tools } from 'rxmcp/tools';
import { atServer } from './at-server.js';
import type { Setting } from './setting.js';

/** Makes the handshake and looks around. */
export function shakeHands(setting: Setting): Promise<void> {
  return atServer(setting, (remote) => once(tools(remote).list()));
}

/** Says with every request what it can be asked for. The server refuses the first one for its version. */
export function declareEverything(setting: Setting): Promise<void> {
  return atServer(setting, (remote) => once(remote.request('tools/list')), [
    offerRoots([{ uri: 'file:///tmp', name: 'a place' }]),
    offerElicitation(() => ({ action: 'decline' })),
    offerSampling(() => ({ role: 'assistant', content: { type: 'text', text: 'Yes.' }, model: 'none' }), {
      approve: 'dangerouslyAlways',
    }),
  ]);
}
