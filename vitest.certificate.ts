import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';

/** A certificate that signs itself, and its key, as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Makes a certificate for localhost and 127.0.0.1 that is good for a day. */
export function certificate(): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  // A name of its own, or a list of trusted ones would be searched by a name that all share.
  const own = der(0x0c, Buffer.from(randomUUID()));
  const name = sequence(der(0x31, sequence(oid(0x55, 0x04, 0x03), own)));
  const names = sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])));
  const authority = sequence(der(0x01, Buffer.from([0xff])));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(time(-hourMs), time(24 * hourMs)),
    name,
    publicKey.export({ format: 'der', type: 'spki' }),
    der(
      0xa3,
      sequence(
        sequence(oid(0x55, 0x1d, 0x13), der(0x04, authority)),
        sequence(oid(0x55, 0x1d, 0x11), der(0x04, names)),
      ),
    ),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const text = sequence(body, ecdsaWithSha256, signature)
    .toString('base64')
    .replace(/.{1,64}/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${text}-----END CERTIFICATE-----\n`,
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string,
  };
}

const hourMs = 3_600_000;

/** One value of ITU-T X.690: tag, length, content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts);
}

function oid(...bytes: readonly number[]): Buffer {
  return der(0x06, Buffer.from(bytes));
}

function time(fromNowMs: number): Buffer {
  const digits = new Date(Date.now() + fromNowMs).toISOString().replace(/[-:T]|\..*/g, '');
  return der(0x17, Buffer.from(`${digits.slice(2)}Z`));
}

const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
