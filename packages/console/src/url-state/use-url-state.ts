import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { type AddressParameters, readValues, type ValuesOf, withValues } from './values.ts';

export interface ChangeOptions {
  /**
   * The change is a step that «back» undoes, as opening a row is; otherwise it replaces the
   * address.
   */
  readonly isStep?: boolean;
}

/**
 * The state of a page in its address. `codecs` is a constant outside of the component:
 * `const STATE = { q: text(), status: oneOf(['all', 'failed'], 'all'), peek: optional() }`.
 * @returns the values, and a function that changes some of them
 */
export function useUrlState<C>(
  codecs: C,
): readonly [ValuesOf<C>, (change: Partial<ValuesOf<C>>, options?: ChangeOptions) => void] {
  const search: AddressParameters = useSearch({ strict: false });
  const navigate = useNavigate();
  const values = useMemo(() => readValues(codecs, search), [codecs, search]);
  const change = useCallback(
    (part: Partial<ValuesOf<C>>, { isStep = false }: ChangeOptions = {}) => {
      navigate({
        to: '.',
        search: (previous: AddressParameters) => withValues(codecs, previous, part) as never,
        replace: !isStep,
        resetScroll: false,
      });
    },
    [codecs, navigate],
  );
  return [values, change];
}
