import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { FieldAlert } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { usePage } from '../page.ts';
import type { useAction } from '../parts/action.ts';
import { type Loaded, useLoaded } from '../parts/loaded.ts';
import { Loading } from '../parts/loading.tsx';
import { LoadProblem } from '../parts/problem.tsx';
import { focusFirstFaulty } from '../parts/use-check.ts';

interface SectionProps<Value> {
  intro?: string;
  load(): Promise<Value>;
  children(value: Value, loaded: Loaded<Value>): ComponentChildren;
}

export type Reloading = Pick<Loaded<unknown>, 'reload'>;

/** Loads a value from the service and shows it. */
export function Section<Value>({ intro, load, children }: SectionProps<Value>) {
  const loaded = useLoaded(load);
  const { value, thrown, reload } = loaded;
  return (
    <>
      {intro && <p>{intro}</p>}
      {value === undefined && thrown === null && <Loading />}
      {thrown !== null && <LoadProblem thrown={thrown} again={reload} />}
      {value !== undefined && children(value, loaded)}
    </>
  );
}

interface RowsProps {
  caption: string;
  columns: readonly string[];
  children: ComponentChildren;
}

/** A table whose last column has a row's actions. Other cells carry their column's name as `data-label`: phones show no head. */
export function Rows({ caption, columns, children }: RowsProps) {
  const { texts } = usePage();
  return (
    <table class="rows">
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {[...columns, texts.settings.actions].map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

interface ActionFormProps {
  heading?: string;
  label: string;
  action: ReturnType<typeof useAction<[]>>;
  /** Returns whether the entered values can be sent. The form shows what is missing. */
  check?(): boolean;
  /** Null without unsaved entries. */
  onDiscard?: (() => void) | null;
  children: ComponentChildren;
}

/** A form that makes one call. */
export function ActionForm({
  heading,
  label,
  action,
  check = () => true,
  onDiscard,
  children,
}: ActionFormProps) {
  const { texts, say } = usePage();
  const form = useRef<HTMLFormElement>(null);
  const submit = async (submitted: HTMLFormElement) => {
    say('');
    if (!check() || !(await action.run())) focusFirstFaulty(submitted);
  };
  /** Moves the focus, because the button disappears. */
  const discard = () => {
    onDiscard?.();
    action.forget();
    say(texts.settings.discarded);
    form.current?.querySelector<HTMLElement>('[type="submit"]')?.focus();
  };
  return (
    <Form ref={form} class="stack-wide" onSubmit={(submitted) => void submit(submitted)}>
      {heading && <h2>{heading}</h2>}
      {children}
      {onDiscard && <p class="hint">{texts.settings.unsaved}</p>}
      <FieldAlert id="form">{action.problem}</FieldAlert>
      <div class="actions">
        <Button kind="main" submit busy={action.isBusy}>
          {label}
        </Button>
        {onDiscard && (
          <Button kind="quiet" waiting={action.isBusy} onClick={discard}>
            {texts.settings.discard}
          </Button>
        )}
      </div>
    </Form>
  );
}
