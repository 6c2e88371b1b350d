/** What to do about a failure, by what its line says: codes of the system, of TLS and of HTTP. The first match counts. */
const steps: readonly (readonly [RegExp, string])[] = [
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
  [/\bbad port\b|does not allow/, 'Use another port'],
  [/ECONNRESET|UND_ERR_SOCKET|HPE_INVALID/, 'If the server has TLS there, use https: or wss:'],
  [/NO_COMMON_VERSION/, 'Leave out --protocol, or update the older side'],
  [/exited with code/, 'Run its command alone to see why'],
  [/\bwithin [\d.]+ m?s\b|TIMEOUT/, 'Pass a larger --timeout, or find out what the server waits for'],
  [/\b404\b/, 'Correct the path of the URL, such as /mcp'],
];

/** The sentence that follows the line of a failure; empty where nothing is known. */
export function nextStep(line: string): string {
  const [, step = ''] = steps.find(([pattern]) => pattern.test(line)) ?? [];
  return step === '' || line.includes(step) ? '' : `. ${step}`;
}

/** The sentence that follows the line of a server which needs what this client was not given; otherwise empty. */
export function lackingStep(line: string): string {
  const [, lacks] = /the client did not declare (sampling|roots)/.exec(line) ?? [];
  if (lacks === 'sampling')
    return '. Run it at a terminal, or pass --approve always: the server then gets a model';
  return lacks === 'roots' ? '. Pass --root DIR' : '';
}
