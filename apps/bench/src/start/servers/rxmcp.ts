import { defineServer, offerTools, text, tool } from 'rxmcp';
import { serveStdio } from 'rxmcp/stdio';
import * as z from 'zod';

const options = { description: 'Returns its text.', input: z.object({ text: z.string() }) };
const echo = tool('echo', options, (args) => text(args.text));
serveStdio(defineServer({ info: { name: 'start', version: '1.0.0' }, offers: [offerTools([echo])] }));
