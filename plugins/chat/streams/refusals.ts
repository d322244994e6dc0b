import { defineRefusal } from '../../../kernel/index.ts'

export const streamIdMissing = defineRefusal({
  status: 400,
  code: 'stream_id_missing',
  reason: () =>
    'streamId is required. Send the chat request to POST /chat/start, and open the stream with the streamId of its answer.',
})

export const originDiffers = defineRefusal({
  status: 403,
  code: 'origin_differs',
  reason: () =>
    'This stream was started by a page of another origin. Open it from there, or start one of your own with POST /chat/start.',
})

export const runNotFound = defineRefusal({
  status: 404,
  code: 'not_found',
  reason: () =>
    'This session has no such run. It may have ended some time ago; check streamId, or session and siteId.',
  extra: () => ({ status: 'not_found' }),
})

export const streamRunning = defineRefusal({
  status: 409,
  code: 'stream_running',
  reason: () =>
    'This stream is already open. To follow it as well, send the number of the last event that you have seen as afterSeq; 0 begins at its start.',
})

export const streamGone = defineRefusal({
  status: 410,
  code: 'stream_gone',
  reason: () =>
    'This stream no longer exists. Send the chat request to POST /chat/start again, and open the new stream within a minute.',
})

const tooMany = (what: 'runs' | 'streams', retryAfter: string, reason: (limit: number) => string) =>
  defineRefusal({
    status: 429,
    code: `too_many_${what}`,
    reason,
    headers: () => ({ 'retry-after': retryAfter }),
  })

export const tooManyRunsOfSession = tooMany(
  'runs',
  '5',
  (limit) =>
    `This session already has ${limit} chat requests in progress. Wait for one to end, or stop one with POST /chat/cancel.`,
)
export const tooManyRunsOfOne = tooMany(
  'runs',
  '5',
  (limit) =>
    `You already have ${limit} chat requests in progress, by this token or from this address. Wait for one to end, or stop one with POST /chat/cancel.`,
)
export const tooManyRuns = tooMany(
  'runs',
  '5',
  (limit) => `${limit} chat requests are already in progress. Try again in a moment.`,
)

export const tooManyReaders = tooMany(
  'streams',
  '30',
  (limit) => `There are ${limit} open chat streams already. Close some, or try again later.`,
)
export const tooManyReadersOfOne = tooMany(
  'streams',
  '30',
  (limit) =>
    `You have ${limit} open chat streams already, by this token or from this address. Close some, or try again later.`,
)

/** Ends a run whose process has ended. */
export const runLost = defineRefusal({
  status: 503,
  code: 'run_lost',
  reason: () =>
    'The process that ran this request has ended. Look at the draft: if the change is not there, send the request again.',
})
