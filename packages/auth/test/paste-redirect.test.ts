import { expect, it } from 'vitest';
import { browse } from '../../../vitest.oidc.js';
import { type Auth, oauth } from '../src/index.js';
import { pasteRedirect, type PasteRedirectOptions } from '../src/node.js';
import { authorizationServer, protectedResource } from './protected-resource.js';

const redirectUri = 'http://127.0.0.1:8976/callback';

interface Pasting {
  readonly auth: Auth;
  readonly url: string;
  readonly questions: string[];
  asked(path: string): number | undefined;
}

/** Signs in on a machine without a browser. `lines` gives what a person pastes, of the address that was shown. */
async function pasting(
  lines: (shown: URL) => AsyncGenerator<string | undefined>,
  options: PasteRedirectOptions = {},
): Promise<Pasting> {
  const server = await authorizationServer();
  const { url } = await protectedResource(server.issuer);
  const questions: string[] = [];
  let typed: AsyncGenerator<string | undefined> | undefined;
  const redirect = pasteRedirect({
    show: (shown) => (typed = lines(shown)),
    async ask(question) {
      questions.push(question);
      return (await typed?.next())?.value as string | undefined;
    },
    ...options,
  });
  return { auth: oauth({ redirect }), url, questions, asked: (path) => server.asked.get(path) };
}

/** The address that a browser cannot load at the end, since no server listens there. */
async function lastPage(shown: URL): Promise<string> {
  const landed = await browse(shown, redirectUri);
  if (landed === undefined) throw new Error('the browser was not sent back');
  return landed.href;
}

it('signs in with the address that a person pastes', async () => {
  const { auth, url, questions, asked } = await pasting(async function* (shown) {
    yield `  ${await lastPage(shown)} `;
  });
  await auth.signIn(url);
  expect(questions).toEqual([`the address of the last page, which begins with ${redirectUri}? `]);
  expect(asked('/token')).toBe(1);
});

it('asks again after another line, and after the address of another sign-in', async () => {
  const { auth, url, questions, asked } = await pasting(async function* (shown) {
    const page = await lastPage(shown);
    yield shown.href;
    yield page.replace(/state=[^&]+/, 'state=another');
    yield page;
  });
  await auth.signIn(url);
  expect(questions.map((question) => question.replace(/the address of the last page, .*/s, ''))).toEqual([
    '',
    'that is not the address of the last page. ',
    'that address is of another sign-in: open the address above. ',
  ]);
  expect(asked('/token')).toBe(1);
});

it.each([
  ['three other lines', ['', 'no', `${redirectUri}.evil.test/?state=`], /none of 3 pasted lines/],
  ['the end of the input', [undefined], /no address was pasted/],
])('fails after %s', async (_, typed, reason) => {
  const { auth, url, asked } = await pasting(async function* () {
    yield* await Promise.resolve(typed);
  });
  await expect(auth.signIn(url)).rejects.toMatchObject({
    code: 'REDIRECT_FAILED',
    message: expect.stringMatching(reason) as string,
  });
  expect(asked('/token')).toBeUndefined();
});

it('fails where nothing is pasted in time, and ends the question', async () => {
  let isEnded = false;
  const ask = (_: string, signal: AbortSignal): Promise<undefined> =>
    new Promise((resolve) =>
      signal.addEventListener('abort', () => {
        isEnded = true;
        resolve(undefined);
      }),
    );
  const { auth, url } = await pasting(async function* () {}, { ask, timeoutMs: 10 });
  await expect(auth.signIn(url)).rejects.toMatchObject({
    code: 'REDIRECT_FAILED',
    message: expect.stringContaining('no address was pasted within 10 ms') as string,
  });
  expect(isEnded).toBe(true);
});
