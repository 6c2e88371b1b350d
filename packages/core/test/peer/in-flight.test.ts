import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Exchange } from '../../src/peer/exchange.js';
import { InFlight } from '../../src/peer/in-flight.js';

const lanes = [undefined, {}, {}, {}];
const steps = fc.array(fc.tuple(fc.boolean(), fc.nat(2), fc.nat(3)), { maxLength: 40 });

it.each([
  ['per lane', true],
  ['for the whole connection', false],
])('requests whose ids are unique %s are found until they are over', (_scope, perLane) => {
  fc.assert(
    fc.property(steps, (all) => {
      const table = new InFlight(perLane);
      const open = new Map<string, Exchange>();
      for (const [adds, id, at] of all) {
        const lane = lanes[at];
        const key = perLane && lane !== undefined ? `${String(at)} ${String(id)}` : `shared ${String(id)}`;
        const exchange = open.get(key) ?? ({ id, lane } as Exchange);
        if (!adds) expect(table.delete(exchange)).toBe(open.delete(key));
        else if (!open.has(key)) {
          table.add(exchange);
          open.set(key, exchange);
        }
        const left = [...open.values()];
        expect(table.size).toBe(left.length);
        expect(new Set(table.all())).toEqual(new Set(left));
        for (const one of left) expect(table.get(one.id, one.lane)).toBe(one);
        for (const of of lanes.slice(1) as object[])
          expect(new Set(table.ofLane(of))).toEqual(new Set(left.filter((one) => one.lane === of)));
      }
    }),
  );
});
