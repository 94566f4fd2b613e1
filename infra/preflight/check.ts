import type { Options } from '../options.ts';

export interface Finding {
  /** `stop`: a deployment would fail, or the service could not work. `note`: it works, with the limits named. */
  level: 'ok' | 'note' | 'stop' | 'unchecked';
  text: string;
  /** Advice, as commands if there are any. */
  advice?: string;
}

/** The qualifier of a bootstrap that was given none. */
export const USUAL_QUALIFIER = 'hnb659fds';

/** The planned deployment, and the settings for calls of AWS. */
export interface Plan {
  options: Options;
  region: string;
  /** That of the CDK's bootstrap. */
  qualifier: string;
  /** Settings of an AWS client, in the deployment's region or in a given one. */
  settings: (region?: string) => { region: string; requestHandler: object };
}

export interface Check {
  name: string;
  /** The calls that it makes, as IAM names them. They only read. */
  actions: readonly string[];
  run: (plan: Plan) => Promise<Finding | Finding[]>;
}

/** The errors of AWS's services for a thing that does not exist. */
const MISSING = ['NoSuchFunctionExists', 'NoSuchHostedZone', 'ResourceNotFoundException', 'ValidationError'];

export const ifFound = <T>(answer: Promise<T>): Promise<T | undefined> =>
  answer.catch((error) => {
    if (error instanceof Error && MISSING.includes(error.name)) return undefined;
    throw error;
  });

export const ok = (text: string): Finding => ({ level: 'ok', text });
export const note = (text: string, advice?: string): Finding => ({
  level: 'note',
  text,
  ...(advice !== undefined && { advice }),
});
export const stop = (text: string, advice: string): Finding => ({ level: 'stop', text, advice });
