// A server in a frame, for pages of the origin that its address names.
import { serveFrames } from 'rxmcp/message-port';
import { telling } from './telling.js';

const origin = new URL(location.href).searchParams.get('for') ?? 'http://nobody.example';
serveFrames(telling(), { allowedOrigins: [origin] });
