import responses from './recorded.json' with { type: 'json' };

interface Recorded {
  readonly status?: number;
  readonly body: unknown;
}

const recorded: Readonly<Record<string, Recorded>> = responses;

/** Answers requests with what `recorded.json` has for their path, in the place of `fetch`. All other paths have status 404. */
export const recordedFetch: typeof fetch = async (url) => {
  // Coordinates count with one decimal, about 10 km: a model rarely repeats more of them.
  const path = new URL(String(url)).pathname.replace(/-?\d+\.\d+/g, (text) => Number(text).toFixed(1));
  const response = Object.hasOwn(recorded, path) ? recorded[path] : undefined;
  const { status = 200, body } = response ?? { status: 404, body: { title: 'Not recorded' } };
  return Response.json(body, { status });
};
