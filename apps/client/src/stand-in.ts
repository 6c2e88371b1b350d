// A chat endpoint without a model, for trying the client offline: stand-in.js [PORT]
import process from 'node:process';
import { serveStandIn } from './stand-in/fake-chat-endpoint.js';

const [port = '0'] = process.argv.slice(2);
const apiKey = process.env['OPENAI_API_KEY'] ?? '';

if (/^\d{1,5}$/.test(port) && Number(port) < 2 ** 16) {
  serveStandIn({ port: Number(port), ...(apiKey === '' ? {} : { apiKey }) }).then(
    ({ url }) => process.stderr.write(`listening ${url}\n`),
    (error: Error) => fail(1, `it cannot listen: ${error.message}`),
  );
} else {
  fail(2, `${JSON.stringify(port)} is no port: stand-in.js [PORT]`);
}

function fail(code: number, why: string): void {
  process.stderr.write(`${why}\n`);
  process.exitCode = code;
}
