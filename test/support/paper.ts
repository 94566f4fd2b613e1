import { Paper } from '../../shared/typesetting/paper.ts';

/** Paper without head, foot and watermark. */
export const plainPaper = () =>
  Paper.open({
    title: 'A signature',
    subject: 'test',
    language: 'en',
    createdAt: '2026-11-19T09:05:07Z',
    watermark: null,
    drawRunningHead: () => {},
    drawFoot: () => {},
  });
