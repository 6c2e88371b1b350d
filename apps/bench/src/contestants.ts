/** Who is measured; `bridge` beside `rxmcp` alone, to which it adds something. */
export type Contestant = 'floor' | 'v1' | 'v2' | 'rxmcp' | 'bridge';

/** In the order of the first round; every round begins one further. */
export const contestants: readonly Contestant[] = ['floor', 'v1', 'v2', 'rxmcp'];

/** What a contestant is, for the reader of the table. */
export const titles: Readonly<Record<Contestant, string>> = {
  floor: 'bare-JavaScript floor',
  v1: 'official SDK v1, @modelcontextprotocol/sdk 1.32.2 (legacy only)',
  v2: 'official SDK v2, @modelcontextprotocol/server and client 2.4.0',
  rxmcp: 'this project',
  bridge: 'this project, with a bridge between client and server',
};
