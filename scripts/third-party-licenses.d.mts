export function thirdPartyLicenses(metafile: { readonly inputs: object }, base: string): string;
