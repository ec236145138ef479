import type { KeyStore } from '@trawl/router';

/** The same keys; each change is reported after it was committed. */
export function reportChanges(keys: KeyStore, report: () => void): KeyStore {
  const reported =
    <Given extends readonly unknown[], Result>(change: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      const result = await change(...given);
      report();
      return result;
    };
  return {
    ...keys,
    ensureKey: reported(keys.ensureKey),
    createKey: reported(keys.createKey),
    revokeKey: reported(keys.revokeKey),
    disableKey: reported(keys.disableKey),
    deleteKey: reported(keys.deleteKey),
    changeKey: reported(keys.changeKey),
    replaceKey: reported(keys.replaceKey),
    limitProject: reported(keys.limitProject),
  };
}
