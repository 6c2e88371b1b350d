/** Returns a number of 53 bits that stands for a text in comparisons. It protects nothing: anyone can make two texts with one digest. */
export function digestOf(text: string): number {
  let [a, b] = [0x811c9dc5, 0x9e3779b9];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x5bd1e995);
  }
  return (a >>> 0) * 0x20_0000 + (b >>> 11);
}
