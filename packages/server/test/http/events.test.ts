import { takenFor } from '@trawl/base/testing';
import { RequestError } from '@trawl/router';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventReply } from '../../src/http/answer/events.ts';
import { AUTHORIZED, testApp } from './app.ts';

type Execute = Parameters<typeof eventReply>[0];

/** A search in events, which this makes: its answer, and the log without the access line. */
async function searchInEvents(execute: Execute) {
  const { app, lines } = testApp({
    handlers: {
      search: (_input, { requestId, reportFailure }) =>
        eventReply(execute, { style: 'detail', requestId, onError: reportFailure }),
    },
  });
  const answer = await app.request('/v1/search', {
    method: 'POST',
    headers: { ...AUTHORIZED, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: '{"user_input":{"query":"q"}}',
  });
  return { text: await answer.text(), faults: lines.filter(({ msg }) => msg !== 'request') };
}

const failsLate = (error: unknown) =>
  searchInEvents(async (emit) => {
    emit({ event: 'run', text: takenFor('{}') });
    throw error;
  });

describe('an event stream that fails after it began', () => {
  it('ends with a refusal that its caller caused, and no fault is logged', async () => {
    const refusal = new RequestError(402, 'The budget is used up');
    const { text, faults } = await failsLate(refusal);
    expect(text).toContain('event: error\ndata: {"detail":"The budget is used up"}');
    expect(faults).toEqual([]);
  });

  it.each([
    ['an outage', new RequestError(503, 'The store is away'), 'a request could not be served'],
    ['an internal error', new Error('boom'), 'a request failed unexpectedly'],
  ])('logs %s', async (_name, error, message) => {
    const { text, faults } = await failsLate(error);
    expect(text).toContain('event: error');
    expect(faults).toMatchObject([{ msg: message }]);
  });
});

describe('an event stream that is over leaves no timer', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  const refusal = new RequestError(402, 'refused');
  const whole: Execute = async () => ['{}'] as unknown as Awaited<ReturnType<Execute>>;
  const refused: Execute = () => Promise.reject(refusal);

  it.each([
    ['done', 'event: done', () => searchInEvents(whole)],
    ['refused before its first event', '"refused"', () => searchInEvents(refused)],
    ['failed after it', 'event: error', () => failsLate(refusal)],
  ])('%s', async (_name, end, search) => {
    vi.useFakeTimers();
    expect((await search()).text).toContain(end);
    expect(vi.getTimerCount()).toBe(0);
  });
});
