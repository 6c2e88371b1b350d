import { describe } from 'vitest';
import { memory } from 'rxmcp/memory';
import { bridge } from 'rxmcp';
import { scenarios } from './scenarios.js';
import { versions } from './scenes.js';

describe.each(versions)('%s in memory, direct', (version) => {
  scenarios(version, (server, atEnd) => {
    const link = memory();
    const serving = link.serve(server);
    atEnd(async () => void (await serving.close()));
    return link;
  });
});

describe.each(versions)('%s in memory, over one bridge', (version) => {
  scenarios(version, (server, atEnd) => {
    const [front, back] = [memory(), memory()];
    const serving = [back.serve(server), front.serve(bridge(back))];
    atEnd(async () => void (await Promise.all(serving.map((each) => each.close()))));
    return front;
  });
});

describe.each(versions)('%s in memory, over two bridges', (version) => {
  scenarios(version, (server, atEnd) => {
    const [front, middle, back] = [memory(), memory(), memory()];
    const serving = [back.serve(server), middle.serve(bridge(back)), front.serve(bridge(middle))];
    atEnd(async () => void (await Promise.all(serving.map((each) => each.close()))));
    return front;
  });
});
