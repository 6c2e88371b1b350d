/** The side of a connection that receives. */
export type Towards = 'served' | 'dialled';

/** What a relay does to everything that passes, in both directions unless it says otherwise. */
export type Disturbance =
  /** Passes pieces of exactly this many bytes, one in each turn of the event loop. What remains follows after a pause. */
  | { readonly kind: 'pieces'; readonly bytes: number }
  /** Passes everything this many milliseconds later, in order. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Passes each burst twice. */
  | { readonly kind: 'twice' }
  /** Passes the first half of the next burst, and then ends the connection or breaks it. */
  | { readonly kind: 'truncate'; readonly towards: Towards; readonly how: 'end' | 'cut' }
  /** Passes nothing until the disturbance is another one. */
  | { readonly kind: 'hold' };

/** How a relay reaches one side of a connection. */
export interface RelayEnd {
  /** Sends bytes or one frame to this side. Returns a promise where the side accepts no more for now. */
  write(chunk: Uint8Array): Promise<void> | void;
  /** Ends in order what this side receives. */
  end(): void;
  /** Breaks the connection on this side like a broken cable. */
  cut(): void;
}
