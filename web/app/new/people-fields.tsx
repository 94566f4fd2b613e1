import { LIMITS } from '../../../shared/contract/limits.ts';
import { Button } from '../../parts/button.tsx';
import { AS_TYPED, FieldError, linksOf } from '../../parts/field.tsx';
import { CloseIcon, PlusIcon } from '../../parts/icons.tsx';
import { usePage } from '../page.ts';
import { type FaultyField, withPasted } from './draft.ts';
import type { NewRequest } from './new-request.ts';
import { type Person, peopleIn } from './people.ts';

interface PeopleFieldsProps {
  request: NewRequest;
  fault(field: FaultyField): string | undefined;
}

/** The signers as rows. A pasted list becomes rows of its own. */
export function PeopleFields({ request, fault }: PeopleFieldsProps) {
  const { texts, say } = usePage();
  const { people } = request.draft.value;
  const change = (row: number, person: Person) =>
    request.edit({ people: people.map((before, index) => (index === row ? person : before)) });
  const add = () => {
    request.edit({ people: [...people, { email: '', name: '' }] });
    focusEmail(people.length);
  };
  /** Moves the focus, because the pressed button disappears or becomes the next row's. */
  const remove = (row: number) => {
    const left = people.filter((_, index) => index !== row);
    request.edit({ people: left });
    focusEmail(Math.min(row, left.length - 1));
  };
  const paste = (row: number, event: ClipboardEvent) => {
    const text = event.clipboardData?.getData('text') ?? '';
    const pasted = peopleIn(text);
    // A single address is pasted as ordinary text.
    if (pasted.every(({ email }) => email === text.trim())) return;
    event.preventDefault();
    request.edit({ people: withPasted(people, row, pasted) });
    say(texts.create.pasted(pasted.length));
  };
  return (
    <fieldset class="group people">
      <legend>{texts.create.signers}</legend>
      <p class="hint">{texts.create.signersHint}</p>
      {people.map((person, row) => (
        <PersonRow
          key={row}
          row={row}
          person={person}
          fault={fault}
          onChange={(next) => change(row, next)}
          onPaste={(event) => paste(row, event)}
          onRemove={people.length > 1 ? () => remove(row) : undefined}
        />
      ))}
      {people.length < LIMITS.signers && (
        <Button kind="quiet" onClick={add}>
          <PlusIcon /> {texts.create.addSigner}
        </Button>
      )}
    </fieldset>
  );
}

const focusEmail = (row: number) =>
  requestAnimationFrame(() => document.getElementById(`email-${row}`)?.focus());

interface PersonRowProps {
  row: number;
  person: Person;
  fault(field: FaultyField): string | undefined;
  onChange(person: Person): void;
  onPaste(event: ClipboardEvent): void;
  onRemove: (() => void) | undefined;
}

function PersonRow({ row, person, fault, onChange, onPaste, onRemove }: PersonRowProps) {
  const { texts } = usePage();
  const emailId = `email-${row}` as const;
  const nameId = `name-${row}` as const;
  const emailError = fault(emailId);
  const nameError = fault(nameId);
  return (
    <fieldset class="person field" aria-label={texts.create.signer(row + 1)}>
      <label class="stack-close">
        {texts.email}
        <input
          {...linksOf(emailId, false, emailError)}
          type="email"
          autocomplete="off"
          value={person.email}
          onInput={(event) => onChange({ ...person, email: event.currentTarget.value })}
          onPaste={onPaste}
        />
      </label>
      <FieldError id={emailId}>{emailError}</FieldError>
      <label class="stack-close">
        <span>
          {texts.create.name} <span class="field-optional">({texts.optional})</span>
        </span>
        <input
          {...linksOf(nameId, false, nameError)}
          {...AS_TYPED}
          type="text"
          autocomplete="off"
          dir="auto"
          value={person.name}
          onInput={(event) => onChange({ ...person, name: event.currentTarget.value })}
          onPaste={onPaste}
        />
      </label>
      {onRemove && (
        <button
          type="button"
          class="icon-button"
          aria-label={texts.create.removeSigner(row + 1)}
          onClick={onRemove}
        >
          <CloseIcon />
        </button>
      )}
      <FieldError id={nameId}>{nameError}</FieldError>
    </fieldset>
  );
}
