import { useEffect, useErrorBoundary, useLayoutEffect, useState } from 'preact/hooks';
import { toldAs } from '../../client/verifier/report.ts';
import { type Locale, VERIFY_TEXTS } from '../../shared/texts/languages.ts';
import { FieldAlert, FieldLabel, linksOf } from '../parts/field.tsx';
import { Header } from '../parts/header.tsx';
import { Heading } from '../parts/heading.tsx';
import { firstLocale, keepLocale } from '../parts/language.ts';
import { Spinner } from '../parts/spinner.tsx';
import { safeStorage } from '../parts/storage.ts';
import { checkInWorker, type Outcome } from './check.ts';
import { FileChoice } from './file-choice.tsx';
import { PageContext } from './page.tsx';
import { Result } from './result.tsx';
import { useDrop } from './use-drop.ts';

/** Keeps the chosen language for a reload. */
const storage = safeStorage(() => sessionStorage);

/** Long enough to paste several certificates one by one. */
const TYPING_MS = 400;
const MOST_TRUSTED = 200_000;

export function App() {
  const [locale, setLocale] = useState(() => firstLocale(storage, navigator.languages));
  const [document, setDocument] = useState<File | null>(null);
  const [evidence, setEvidence] = useState<File | null>(null);
  const [trusted, setTrusted] = useState('');
  const [other, setOther] = useState('');
  const [hasSurplus, setSurplus] = useState(false);
  const put = (field: string, file: File | null, isOneOfSeveral = false) => {
    setSurplus(isOneOfSeveral);
    (field === 'evidence' ? setEvidence : setDocument)(file);
  };
  useDrop(put);
  const progress = useCheck(document, evidence, trusted);
  const [crash, reset] = useErrorBoundary();
  useEffect(() => {
    if (progress === 'checking') reset();
  }, [progress]);
  const result = crash ? 'broken' : progress;
  useEffect(() => {
    if (progress !== null && window.document.activeElement?.id !== 'trusted') showOutcome();
  }, [progress]);
  const texts = VERIFY_TEXTS[locale];
  const isAnswered = typeof result === 'object' && result !== null;
  const trustFault = isAnswered && result.trustIsUnread && texts.trustedUnread;
  useLayoutEffect(() => {
    window.document.documentElement.lang = locale;
    window.document.title = `${texts.heading} – Signature requests`;
  }, [locale]);
  const choose = (chosen: Locale) => {
    keepLocale(storage, chosen);
    setLocale(chosen);
  };

  return (
    <PageContext.Provider value={{ texts, locale }}>
      <div class="frame">
        <Header locale={locale} onLanguage={choose} />
        <main class="main">
          <div class="card">
            <Heading>{texts.heading}</Heading>
            <p class="lead">{texts.intro}</p>
            <FileChoice id="document" label={texts.document} file={document} onChoose={put} isMain />
            <p role="status">{hasSurplus && <span>{texts.oneFile}</span>}</p>
            <FileChoice
              id="evidence"
              label={texts.evidence}
              hint={texts.evidenceHint}
              file={evidence}
              onChoose={put}
            />
            <div class={`field ${trustFault ? 'field-invalid' : ''}`}>
              <FieldLabel
                id="trusted"
                label={texts.trusted}
                hint={texts.trustedHint}
                optional={texts.optional}
              />
              <textarea
                {...linksOf('trusted', true, trustFault)}
                rows={3}
                maxLength={MOST_TRUSTED}
                spellcheck={false}
                autocomplete="off"
                value={trusted}
                onInput={(event) => setTrusted(event.currentTarget.value)}
              />
              <FieldAlert id="trusted">{trustFault}</FieldAlert>
            </div>
          </div>
          <div role="status">
            {result === 'checking' && (
              <p class="card checking outcome">
                <span>
                  <Spinner /> {texts.checking}
                </span>
              </p>
            )}
            {result === 'broken' && <p class="card outcome">{texts.broken}</p>}
            {result === 'unreadable' && <p class="card outcome">{texts.unreadableFile}</p>}
            {result === 'too_large' && <p class="card outcome">{texts.findings.too_large}</p>}
            {isAnswered && <p class="visually-hidden">{texts.verdicts[toldAs(result)].heading}</p>}
          </div>
          {isAnswered && <Result answer={result} other={other} onOther={setOther} />}
        </main>
      </div>
    </PageContext.Provider>
  );
}

/** The outcome appears below the form, out of sight on most screens. */
const showOutcome = () => window.document.querySelector('.outcome')?.scrollIntoView({ block: 'nearest' });

type Progress = Outcome | 'checking' | 'broken' | null;

/** Checks the current choice. A new choice aborts the previous check. */
function useCheck(document: File | null, evidence: File | null, trusted: string): Progress {
  const [progress, setProgress] = useState<Progress>(null);
  useEffect(() => {
    if (document === null) {
      setProgress(null);
      return;
    }
    const ending = new AbortController();
    const show = (next: Progress) => {
      if (!ending.signal.aborted) setProgress(next);
    };
    setProgress('checking');
    const timer = setTimeout(() => {
      checkInWorker({ document, evidence, trusted }, ending.signal).then(show, () => show('broken'));
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [document, evidence, trusted]);
  return progress;
}
