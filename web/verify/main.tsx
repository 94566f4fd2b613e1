import { render } from 'preact';
import { pageRoot } from '../parts/page-root.ts';
import { safeStorage } from '../parts/storage.ts';
import { App } from './app.tsx';
import { checkInWorker } from './check.ts';

const storage = safeStorage(() => sessionStorage);
const root = pageRoot();
if (root) render(<App check={checkInWorker} storage={storage} languages={navigator.languages} />, root);
