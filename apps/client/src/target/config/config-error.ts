/** A config file cannot be used as it is. The message names the file, and the place in it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
