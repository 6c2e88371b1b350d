/** A place on earth, in degrees. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

const places: Readonly<Record<string, Place>> = {
  Sacramento: { latitude: 38.58, longitude: -121.49 },
  Austin: { latitude: 30.27, longitude: -97.74 },
  Boston: { latitude: 42.36, longitude: -71.06 },
  Chicago: { latitude: 41.88, longitude: -87.63 },
  Denver: { latitude: 39.74, longitude: -104.99 },
  London: { latitude: 51.51, longitude: -0.13 },
  'New York': { latitude: 40.71, longitude: -74.01 },
  Seattle: { latitude: 47.61, longitude: -122.33 },
};

const states: Readonly<Record<string, string>> = {
  California: 'CA',
  Colorado: 'CO',
  Florida: 'FL',
  Illinois: 'IL',
  Massachusetts: 'MA',
  'New York': 'NY',
  Texas: 'TX',
  Washington: 'WA',
};

/** The first place of the list that a text names. */
export function placeIn(text: string): Place | undefined {
  return valueIn(text, places);
}

/** The code of the state that a text names, by its name or in capital letters. */
export function stateIn(text: string): string | undefined {
  return valueIn(text, states) ?? /\b[A-Z]{2}\b/.exec(text)?.[0];
}

function valueIn<T>(text: string, table: Readonly<Record<string, T>>): T | undefined {
  const name = Object.keys(table).find((one) => new RegExp(`\\b${one}\\b`, 'i').test(text));
  return name === undefined ? undefined : table[name];
}
