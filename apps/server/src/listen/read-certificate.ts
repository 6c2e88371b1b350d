import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { UsageError } from '@rxmcp/app-serving/usage-error';
import type { Certificate } from './listener.js';

/** Where a certificate and its key are. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/** Reads both files, and looks whether they belong together. Rejects with a UsageError. */
export async function readCertificate(files: CertificateFiles): Promise<Certificate> {
  // One after the other, so that the error is always the same if neither can be read.
  const cert = await read('cert', files.cert);
  const key = await read('key', files.key);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new UsageError(`--tls-cert and --tls-key make no certificate: ${(error as Error).message}`);
  }
  return { cert, key };
}

async function read(what: 'cert' | 'key', file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    throw new UsageError(`--tls-${what} ${JSON.stringify(file)} cannot be read: ${code}`);
  }
}
