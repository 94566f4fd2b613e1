import { render } from 'preact';
import { pageRoot } from '../parts/page-root.ts';
import { App } from './app.tsx';

const root = pageRoot();
if (root) render(<App />, root);
