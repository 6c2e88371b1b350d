const prices = { apple: 30, bread: 250, tea: 480 };

/** The names of what there is to buy. */
export const items = Object.keys(prices);

/** The price in cents; a tenth less from ten pieces on. */
export function price(item, quantity) {
  const cents = prices[item] * quantity;
  return quantity >= 10 ? Math.round(cents * 0.9) : cents;
}
