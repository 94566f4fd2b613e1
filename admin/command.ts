import type { Operator } from './operator.ts';

/** Declares a command once: argument parsing, validation and help are derived from the declaration. */

/** A text, one of some choices, or without both a switch. */
export interface Option {
  help: string;
  /** Placeholder for the text in the help, such as `URL`. */
  value?: string;
  choices?: readonly string[];
  required?: true;
}
export type Options = Readonly<Record<string, Option>>;

export const isSwitch = ({ value, choices }: Option): boolean => value === undefined && choices === undefined;

type Value<O extends Option> = O extends { choices: readonly (infer Choice)[] } ? Choice : string;
type Given<O extends Option> = O extends { value: string } | { choices: readonly string[] }
  ? O extends { required: true }
    ? Value<O>
    : Value<O> | undefined
  : boolean;

/** Input of a command: its options and arguments by name. */
type Input<O extends Options, A extends readonly string[], M extends readonly string[]> = {
  [Name in keyof O]: Given<O[Name]>;
} & { [Name in A[number]]: string } & { [Name in M[number]]: string | undefined };

interface Declaration<O extends Options, A extends readonly string[], M extends readonly string[]> {
  /** One or two words: `org create`. */
  name: string;
  summary: string;
  /** Required arguments, in order. */
  args?: A;
  /** Optional arguments, after the required ones. */
  optionalArgs?: M;
  options?: O;
  run: (input: Input<O, A, M>, operator: Operator) => Promise<unknown>;
}

/** A command without the type of its input, which `readArguments` builds from the same declaration. */
export interface Command
  extends Required<Omit<Declaration<Options, readonly string[], readonly string[]>, 'run'>> {
  run: (input: Record<string, unknown>, operator: Operator) => Promise<unknown>;
}

export const command = <
  const O extends Options = Record<never, never>,
  const A extends readonly string[] = [],
  const M extends readonly string[] = [],
>(
  declaration: Declaration<O, A, M>,
): Command => ({
  args: [],
  optionalArgs: [],
  options: {},
  ...declaration,
  run: (input, operator) => declaration.run(input as Input<O, A, M>, operator),
});
