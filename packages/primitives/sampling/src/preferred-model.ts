import type { ModelPreferences } from './types.js';

/**
 * The model that a server's hints mean: the first hint that is part of a model's name counts, whatever the case of its letters.
 * Undefined where none is meant. The priorities say nothing of names; they are for whoever knows the models.
 * Spec 2026-07-28 client/sampling#model-preferences.
 */
export function preferredModel(
  preferences: ModelPreferences | undefined,
  models: readonly string[],
): string | undefined {
  for (const { name = '' } of preferences?.hints ?? []) {
    const wanted = name.toLowerCase();
    const found = models.find((model) => wanted !== '' && model.toLowerCase().includes(wanted));
    if (found !== undefined) return found;
  }
  return undefined;
}
