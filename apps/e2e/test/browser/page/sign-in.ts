// A page whose client signs in. What it shows of itself is JSON.
import { AuthError, type AuthStatus, memoryStore, oauth, webStore } from '@rxmcp/auth';
import { popupRedirect, sameWindowRedirect } from '@rxmcp/auth/browser';
import { defineClient, once } from 'rxmcp';
import { http } from 'rxmcp/http';
import { webSocket } from 'rxmcp/websocket';
import { tools } from 'rxmcp/tools';

// The page that the browser comes back to has no part behind "#".
const word = location.hash === '' ? (sessionStorage.getItem('page') ?? '') : location.hash;
sessionStorage.setItem('page', word);
const parameters = new URLSearchParams(word.slice(1));
const url = parameters.get('url') ?? '';
const isPopup = parameters.get('how') === 'popup';
const timeoutMs = Number(parameters.get('timeout') ?? 300_000);
const popup = popupRedirect({ redirectUri: '/back', timeoutMs });
const auth = oauth({
  redirect: isPopup ? popup : sameWindowRedirect({ redirectUri: '/sign-in' }),
  store: isPopup ? memoryStore() : webStore(sessionStorage),
});
const states: AuthStatus['state'][] = [];

async function whoami(): Promise<string> {
  try {
    const transport = url.startsWith('ws') ? webSocket(url, { auth }) : http(url, { auth });
    const remote = await defineClient({ info: { name: 'page', version: '1.0.0' } }).connect(transport);
    const { content } = await once(tools(remote).call('whoami'));
    await remote.close();
    return (content[0] as { text: string }).text;
  } catch (error) {
    const cause = AuthError.causeOf(error);
    return cause === undefined ? String(error) : `${cause.code}: ${cause.message}`;
  }
}

/** Begins as a person does, with a click. */
const button = document.createElement('button');
button.textContent = 'Connect';
button.onclick = () => {
  if (isPopup) popup.prepare();
  show();
};
document.body.append(button);
if (parameters.has('goes-on') && location.search !== '') show();

function show(): void {
  void whoami().then((text) => {
    document.title = text;
    console.log(text);
    popup.dismiss();
  });
}
if (url !== '') auth.status$(url).subscribe(({ state }) => states.push(state));

declare global {
  var signIn: { readonly states: readonly string[]; kept(): readonly string[]; more(scope: string): void };
}
globalThis.signIn = {
  states,
  kept: () => Object.keys(sessionStorage).toSorted(),
  more: (scope) => void auth.signIn(url, { scopes: [scope] }),
};
