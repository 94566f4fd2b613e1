import { writeFileSync } from 'node:fs';
import prepare from '../support/prepare.ts';
import removeRunFolder from '../support/remove-run-folder.ts';
import { assertSound } from './checker.ts';
import { collect } from './collect.ts';
import { ENDINGS, Life } from './life.ts';
import { settle, untilAtRest } from './settle.ts';
import { inWorld } from './world.ts';

/** `node test/proof/sample.ts` writes the snapshot of one request of each ending, in which the checker's test plants violations. */

const FILE = new URL('../fixtures/proof-snapshot.json', import.meta.url);

await prepare();
try {
  await inWorld(
    async (world) => {
      for (const ending of ENDINGS)
        await new Life(world, { title: `Sample ${ending}`, signers: 2, ending }).live();
      await untilAtRest(world);
      await settle(world);
      const seen = await collect(world);
      assertSound(seen);
      writeFileSync(FILE, `${JSON.stringify(seen, null, 1)}\n`);
    },
    { receivers: 1 },
  );
} finally {
  removeRunFolder();
}
