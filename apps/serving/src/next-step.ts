/** What to do about a failure, by what its line says: codes of the system, of TLS and of HTTP. The first match counts. */
const steps: readonly (readonly [RegExp, string])[] = [
  [
    /cannot start "[^"\s\\/]+ [^"]*": ENOENT/,
    'A program and its arguments are separate words: no quotes around them after --, and "args" in a config file',
  ],
  [/cannot start "[^"]*" in .*ENOENT/s, 'Install the program, or correct its name or its folder'],
  [/cannot start .*ENOENT/s, 'Install the program, or correct its name'],
  [/cannot start .*EACCES/s, 'Make the program executable'],
  [
    /ECONNREFUSED|connect(?: to \S+:)? ENOENT/,
    'Start the server, or correct the address: nothing listens there',
  ],
  [/ENOTFOUND|EAI_AGAIN/, 'Correct the name of the host, or check the network'],
  [/EHOSTUNREACH|ENETUNREACH/, 'Check the network'],
  [/CERT_HAS_EXPIRED/, 'The certificate of the server must be renewed'],
  [/ERR_TLS_CERT_ALTNAME_INVALID/, 'Use a host name that the certificate has'],
  [
    /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|CERT_UNTRUSTED/,
    'If you trust the server, set NODE_EXTRA_CA_CERTS to a file with its certificate authority',
  ],
  [/WRONG_VERSION_NUMBER|EPROTO|ERR_SSL_PACKET/, 'The server has no TLS there: use http: or ws:'],
  [/EADDRINUSE/, 'Pass another port, or 0 for a free one'],
  [/ECONNRESET|UND_ERR_SOCKET|HPE_INVALID/, 'If the server has TLS there, use https: or wss:'],
  [/NO_COMMON_VERSION/, 'Leave out --protocol, or update the older side'],
  [/exited with code/, 'Run its command alone to see why'],
  [/\bwithin [\d.]+ m?s\b|TIMEOUT/, 'Pass a larger --timeout, or find out what the server waits for'],
  [
    /rejected the connection with status (?!5)/,
    'Correct the path of the URL, or use http: or https: if the server has no WebSocket there',
  ],
  [
    /answered with (?:no event stream|4\d\d)\b/,
    'Correct the path of the URL, such as /sse, or leave out sse+ if the server has Streamable HTTP there',
  ],
  [/with status 426\b/, 'The server has a WebSocket there: use ws: or wss:'],
  [/with (?:status )?5\d\d\b/, 'Look into the log of the server or of its proxy'],
  [/^OVERFLOW\b/, 'Ask the server for less at a time'],
  [/PEER_CLOSED/, 'Check the scheme and the port of the address'],
  [
    /which is neither JSON nor an event stream|with status 40[045]\b/,
    'Correct the path of the URL, such as /mcp',
  ],
];

/** The sentence that follows the line of a failure; empty where nothing is known. */
export function nextStep(line: string): string {
  const [, step = ''] = steps.find(([pattern]) => pattern.test(line)) ?? [];
  return step === '' || line.includes(step) ? '' : `. ${step}`;
}

/** The sentence that follows the line of a server or a client that lacks what a request needs; otherwise empty. */
export function lackingStep(line: string): string {
  if (line.startsWith('INVALID_RESULT')) return '. --debug shows what the server sent';
  if (line.startsWith('CAPABILITY_NOT_SUPPORTED'))
    return line.includes('rejected the subscription')
      ? '. Check its URI with rxmcp resources, or read it once with rxmcp read'
      : '. rxmcp info shows what the server has';
  const [, lacks] = /the client did not declare (sampling|roots)/.exec(line) ?? [];
  if (lacks === 'sampling')
    return '. Run it at a terminal, or pass --approve always: the server then gets a model';
  return lacks === 'roots' ? '. Pass --root DIR' : '';
}
