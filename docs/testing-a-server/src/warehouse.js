/** Asks the warehouse at `url` how many pieces of an item it has. */
export function warehouse(url) {
  return async (item, signal) => {
    const response = await fetch(new URL(`stock/${encodeURIComponent(item)}`, url), { signal });
    if (!response.ok) throw new Error(`the warehouse answered ${response.status}`);
    return (await response.json()).pieces;
  };
}
