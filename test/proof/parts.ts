import { type ChaosSize, chaos } from './chaos.ts';
import { type LoadSize, load } from './load.ts';
import { type ModelSize, model } from './sequences.ts';
import { type SoakSize, soak } from './soak.ts';
import { type ThousandSize, thousand } from './thousand.ts';

/** The parts of the proof and their sizes: whole, and so short that CI can afford them. */

interface Sizes {
  load: LoadSize;
  chaos: ChaosSize;
  model: ModelSize;
  thousand: ThousandSize;
  soak: SoakSize;
}

export const SIZES: Readonly<Record<'whole' | 'short', Sizes>> = {
  whole: {
    load: {
      seconds: 60,
      callsAtOnce: [1, 8, 32],
      lives: [
        [4, 60],
        [16, 96],
      ],
    },
    chaos: { seconds: 600, livesAtOnce: 6 },
    model: { sequences: 2_000, seconds: 4 * 3_600 },
    thousand: { rounds: 1_000 },
    soak: { minutes: 60, mostGrowth: 0.25 },
  },
  short: {
    load: { seconds: 1, callsAtOnce: [8], lives: [[4, 8]] },
    chaos: { seconds: 20, livesAtOnce: 6 },
    model: { sequences: 100, seconds: 60 },
    thousand: { rounds: 8 },
    // Workers are still being started then.
    soak: { minutes: 0.2, mostGrowth: Number.POSITIVE_INFINITY },
  },
};

interface Asked extends Sizes {
  seed: number;
  times: number | undefined;
}

interface Part {
  name: string;
  title: string;
  run: (asked: Asked) => Promise<string>;
  /** CI plays the model by the rules alone, in a unit test. */
  isLeftOutOfShort?: true;
}

export const PARTS: readonly Part[] = [
  {
    name: 'load',
    title: 'Load',
    run: ({ load: size, times }) => load({ ...size, seconds: times ?? size.seconds }),
  },
  {
    name: 'chaos',
    title: 'Chaos',
    run: ({ chaos: size, seed, times }) => chaos({ ...size, seconds: times ?? size.seconds }, seed),
  },
  {
    name: 'model',
    title: 'Model',
    isLeftOutOfShort: true,
    run: ({ model: size, seed, times }) => model({ ...size, sequences: times ?? size.sequences }, seed),
  },
  {
    name: 'thousand',
    title: 'A thousand at once',
    run: ({ thousand: size, times }) => thousand({ rounds: times ?? size.rounds }),
  },
  {
    name: 'soak',
    title: 'Soak',
    run: ({ soak: size, seed, times }) => soak({ ...size, minutes: times ?? size.minutes }, seed),
  },
];
