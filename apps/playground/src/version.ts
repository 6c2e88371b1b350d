import packageJson from 'rxmcp/package.json' with { type: 'json' };

/** The version of the packages that the playground is made of. */
export const version: string = packageJson.version;
