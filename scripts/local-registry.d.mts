export interface LocalRegistry {
  readonly url: string;
  /** The environment in which npm uses it. */
  readonly env: NodeJS.ProcessEnv;
  close(): Promise<void>;
}
export function startRegistry(folder: string): Promise<LocalRegistry>;
