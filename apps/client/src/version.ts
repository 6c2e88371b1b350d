import packageJson from 'rxmcp/package.json' with { type: 'json' };

/** The version of the package that this program is part of. */
export const version: string = packageJson.version;
