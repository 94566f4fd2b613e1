import type { Locale } from '../../../shared/texts/languages.ts';
import { Button } from '../../parts/button.tsx';
import { Changing } from '../../parts/changing.tsx';
import { FieldAlert } from '../../parts/field.tsx';
import { DownIcon } from '../../parts/icons.tsx';
import { LanguageChoice } from '../../parts/language-choice.tsx';
import { chooseLanguage, keepChosen } from '../language.ts';
import { browserMemory } from '../memory.ts';
import { usePage } from '../page.ts';
import { useAction } from '../parts/action.ts';
import { openMenu } from '../parts/close-menu.ts';
import { messageOf } from '../parts/problem.tsx';
import { showShortcuts } from './shortcuts.tsx';

/** The menu for owner, mode, language and signing out. */
export function Account() {
  const { session, texts, say } = usePage();
  const { me, owner, mode } = session;
  const signOut = useAction(() =>
    session.signOut().catch((thrown: unknown) => {
      // Otherwise the error is in the menu.
      if (!openMenu('#account')) say(messageOf(thrown, texts));
      throw thrown;
    }),
  );
  return (
    <div class="account">
      <button type="button" class="account-button" popovertarget="account">
        <span class="visually-hidden">{texts.account.actingFor} </span>
        <bdi>
          <Changing>{owner.value?.name}</Changing>
        </bdi>
        <DownIcon />
      </button>
      <div id="account" class="menu" popover="auto">
        <fieldset class="menu-group">
          <legend>{texts.account.actingFor}</legend>
          {me.value?.owners.map(({ owner: id, name }) => (
            <label key={id} class="menu-choice">
              <input
                type="radio"
                name="owner"
                checked={id === owner.value?.owner}
                onChange={() => session.actFor(id)}
              />
              <bdi>{name}</bdi>
            </label>
          ))}
        </fieldset>
        <label class="menu-choice">
          <input
            type="checkbox"
            role="switch"
            aria-checked={mode.value === 'test'}
            checked={mode.value === 'test'}
            onChange={(event) => {
              mode.value = event.currentTarget.checked ? 'test' : 'live';
            }}
          />
          <span>
            {texts.testMode.label}
            <span class="small-label">{texts.testMode.hint}</span>
          </span>
        </label>
        <Language />
        <Button kind="quiet" onClick={showShortcuts}>
          {texts.shortcuts.heading}
        </Button>
        <p class="menu-user">
          <bdi>{me.value?.user.email}</bdi>
        </p>
        <FieldAlert id="sign-out">{signOut.problem}</FieldAlert>
        <Button busy={signOut.isBusy} onClick={signOut.run}>
          {texts.account.signOut}
        </Button>
      </div>
    </div>
  );
}

/** The language of the page, and of a signed-in user's mails. */
export function Language() {
  const { session, texts, locale, say } = usePage();
  const choose = async (chosen: Locale) => {
    try {
      const isLoaded = await chooseLanguage(chosen, browserMemory);
      if (isLoaded && session.me.peek()) await keepChosen(session.service.changeLanguage);
    } catch (thrown) {
      say(messageOf(thrown, texts));
    }
  };
  return <LanguageChoice locale={locale} onChoose={(chosen) => void choose(chosen)} />;
}
