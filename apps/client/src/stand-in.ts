// A chat endpoint without a model, for trying the client offline: stand-in.js [PORT]
import process from 'node:process';
import { serveStandIn } from './stand-in/chat-stand-in.js';

const [port = '0'] = process.argv.slice(2);
const apiKey = process.env['OPENAI_API_KEY'] ?? '';
const { url } = await serveStandIn({ port: Number(port), ...(apiKey === '' ? {} : { apiKey }) });
process.stderr.write(`listening ${url}\n`);
