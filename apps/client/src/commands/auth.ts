import { exits } from '../failure.js';
import { loadAuth } from '../target/sign-in.js';
import { printSignIn, signInCommand } from './sign-in-command.js';

export const authCommand = signInCommand({
  details: 'The exit code is 1 without a valid sign-in. A token that ends soon is renewed first.',
  example: 'rxmcp auth https://example.com/mcp',
  async run(url, program) {
    const auth = await loadAuth(program.env);
    // Reads what is kept.
    await auth.headers({ method: 'POST', url });
    return (await printSignIn(url, auth, program)) ? exits.good : exits.answered;
  },
});
