import { lazy, Suspense } from 'react';
import { Skeleton } from './region.tsx';

const MarkdownText = lazy(() => import('./markdown-text.tsx'));

export interface MarkdownProps {
  /**
   * From a page of another site: whatever it holds, nothing of it runs, and no picture is loaded.
   */
  readonly text: string;
}

export const Markdown = ({ text }: MarkdownProps) => (
  <Suspense fallback={<Skeleton />}>
    <MarkdownText text={text} />
  </Suspense>
);
