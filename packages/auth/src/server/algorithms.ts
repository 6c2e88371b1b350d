/** The signatures of tokens and proofs that are accepted by default: the asymmetric ones. */
export const usualAlgorithms = [
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
];
