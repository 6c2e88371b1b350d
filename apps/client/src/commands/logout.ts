import { exits } from '../failure.js';
import { loadAuth } from '../target/sign-in.js';
import { printSignIn, signInCommand } from './sign-in-command.js';

export const logoutCommand = signInCommand({
  details: 'Forgets the tokens for a server, and revokes them where its authorization server can.',
  example: 'rxmcp logout https://example.com/mcp',
  async run(url, program) {
    const auth = await loadAuth(program.env);
    await auth.signOut(url);
    await printSignIn(url, auth, program);
    return exits.good;
  },
});
