import packageJson from 'rxmcp/package.json' with { type: 'json' };

/** The version of the packages that this bridge is made of. */
export const version: string = packageJson.version;
