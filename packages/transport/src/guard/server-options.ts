import type { GuardOptions } from './guard.js';

/** The names of {@link GuardOptions}, for what takes them with others. */
export const knownGuardOptions: Record<keyof GuardOptions, true> = {
  allowedHosts: true,
  allowedOrigins: true,
  authenticate: true,
  clientAddress: true,
};

/** Names that users try, of options that every server over HTTP has. */
export const alikeServerOptions = {
  auth: 'authenticate',
  verifyToken: 'authenticate',
  origin: 'allowedOrigins',
  maxBodyBytes: 'maxMessageBytes',
  hosts: 'allowedHosts',
  origins: 'allowedOrigins',
  stallMs: 'writeTimeoutMs',
};
