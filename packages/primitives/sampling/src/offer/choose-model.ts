import type { ModelPreferences } from '../messages/types.js';

/** Properties of a model; figures are from 0 to 1. @default 0.5 for each missing figure */
export interface ModelInfo {
  readonly name: string;
  /** Other names of this model, such as models of other providers that it can replace. @default none */
  readonly aliases?: readonly string[];
  /** 1 = the most expensive. */
  readonly cost?: number;
  /** 1 = the fastest. */
  readonly speed?: number;
  /** 1 = the most capable. */
  readonly intelligence?: number;
}

/**
 * Returns the model that fits a server's preferences best. The first hint that matches a model decides: by a part of its name, else
 * by an equivalent name; case is ignored. Between several matches, and without a match, the priorities weigh cost, speed
 * and intelligence; between equals the first of the list wins. Undefined for an empty list.
 * @see Spec 2026-07-28 client/sampling#model-preferences
 */
export function chooseModel(
  preferences: ModelPreferences | undefined,
  models: readonly (string | ModelInfo)[],
): string | undefined {
  const known = models.map((model) => (typeof model === 'string' ? { name: model } : model));
  for (const { name = '' } of preferences?.hints ?? []) {
    const hint = name.trim().toLowerCase();
    if (hint === '') continue;
    const named = known.filter((model) => model.name.toLowerCase().includes(hint));
    const meant = named.length > 0 ? named : known.filter((model) => equals(model, hint));
    if (meant.length > 0) return best(meant, preferences);
  }
  return best(known, preferences);
}

// A provider's full name may stand on either side: "sonnet" means what equals "claude-sonnet", and the other way round.
function equals({ aliases: others = [] }: ModelInfo, hint: string): boolean {
  return others.some((one) => {
    const other = one.trim().toLowerCase();
    return other !== '' && (other.includes(hint) || hint.includes(other));
  });
}

function best(models: readonly ModelInfo[], preferences: ModelPreferences = {}): string | undefined {
  const { costPriority = 0, speedPriority = 0, intelligencePriority = 0 } = preferences;
  const weight = ({ cost = 0.5, speed = 0.5, intelligence = 0.5 }: ModelInfo): number =>
    costPriority * (1 - cost) + speedPriority * speed + intelligencePriority * intelligence;
  let [found] = models;
  for (const model of models) if (found !== undefined && weight(model) > weight(found)) found = model;
  return found?.name;
}
