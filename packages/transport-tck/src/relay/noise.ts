const length = 4_096;

/** Bytes that are no message in any framing: zeros, ones, text without an end, lines, and pseudo-random bytes. */
export function noises(): readonly Uint8Array[] {
  let state = 1;
  const random = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state >> 16;
  };
  const bytes = (at: (index: number) => number): Uint8Array =>
    Uint8Array.from({ length }, (_, index) => at(index));
  return [
    bytes(() => 0),
    bytes(() => 0xff),
    bytes((index) => (index === length - 1 ? 10 : 0x78)),
    bytes((index) => (index % 40 === 39 ? 10 : 0x7b)),
    bytes(random),
  ];
}
