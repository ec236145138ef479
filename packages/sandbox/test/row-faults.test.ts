import { describe, expect, test } from 'vitest';
import { ODD_DATES, ODD_ROWS } from '../src/faults/odd-rows.ts';
import { braveSearch, exaSearch, rowsAt, useSandbox } from './support.ts';

const sandbox = useSandbox();
const exa = (fault: string, more: Record<string, unknown> = {}, key = 'test-key') =>
  exaSearch(sandbox(), { query: `tidal energy [[exa:${fault}]]`, ...more }, { 'x-api-key': key });
const brave = (fault: string) => braveSearch(sandbox(), { q: `tidal energy [[brave:${fault}]]` });

describe('faults of rows', () => {
  test.each([0, 1, 3, 40])('rows=%i answers with that many whatever was asked', async (count) => {
    expect(rowsAt((await exa(`rows=${count}`, { numResults: 5 })).body, 'results')).toHaveLength(
      count,
    );
    expect(rowsAt((await brave(`rows=${count}`)).body, 'web', 'results')).toHaveLength(count);
  });

  test('odd-rows shows every oddity and every spelling of a date', async () => {
    const contents = { highlights: true, text: true };
    const { status, text, body } = await exa('odd-rows', { numResults: 5, contents });
    expect(status).toBe(200);
    const rows = rowsAt(body, 'results');
    expect(rows).toHaveLength(ODD_ROWS);
    const urls = rows.map((row) => row.url);
    for (const url of [undefined, 1234, 'javascript:alert(1)', '/only/a/path'])
      expect(urls).toContain(url);
    expect(urls.filter((url) => String(url).includes('utm_source=feed'))).toHaveLength(1);
    expect(urls.filter((url) => String(url).endsWith('?page=2'))).toHaveLength(1);
    expect(rows).toContainEqual({ notAnObject: null });
    expect(rows).toContainEqual({ notAnObject: 'a string in place of a row' });
    for (const part of [
      '<strong>marked',
      '&amp;',
      '&#x27;',
      '/static/cover.png',
      '\\u0000',
      'surprise',
    ]) {
      expect(text).toContain(part);
    }
    const many = await exa('odd-rows,rows=60', { contents });
    const dates = rowsAt(many.body, 'results').map((row) => row.publishedDate);
    for (const date of ODD_DATES) expect(dates).toContainEqual(date);
  });

  test('odd-rows fits the members of brave, and rows sets their number', async () => {
    const { body } = await brave('odd-rows,rows=6');
    const rows = rowsAt(body, 'web', 'results');
    expect(rows).toHaveLength(6);
    expect(rows[0]?.description).toContain('<strong>marked</strong>');
    expect(rows[5]).toMatchObject({ title: null, thumbnail: { original: '/static/cover.png' } });
  });

  test('echo-key quotes the received key in a row', async () => {
    const [row] = rowsAt((await exa('echo-key', {}, 'secret-7f3a')).body, 'results');
    expect(row?.title).toContain('secret-7f3a');
    expect(row?.debug).toEqual({ key: 'secret-7f3a' });
  });

  test.each(['status=401', 'status=429', 'status=500'])(
    'echo-key quotes it in the error of %s',
    async (status) => {
      expect((await exa(`echo-key,${status}`, {}, 'secret-7f3a')).text).toContain('secret-7f3a');
      expect((await exa('echo-key', {}, 'bad-7f3a')).text).toContain('bad-7f3a');
      expect((await brave(`echo-key,${status}`)).text).toContain('test-key');
    },
  );

  test('nothing else ever quotes the key', async () => {
    expect((await exa('status=401', {}, 'secret-7f3a')).text).not.toContain('secret-7f3a');
    expect((await exa('latency=0', {}, 'secret-7f3a')).text).not.toContain('secret-7f3a');
  });
});
