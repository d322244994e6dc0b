import { defineRefusal } from '../../kernel/index.ts'

export const streamIdMissing = defineRefusal({
  status: 400,
  code: 'stream_id_missing',
  reason: () => 'streamId is required. Send the chat request to POST /chat/start, and open the stream with the streamId of its answer.',
})

export const originDiffers = defineRefusal({
  status: 403,
  code: 'origin_differs',
  reason: () => 'This stream was started by a page of another origin. Open it from there, or start one of your own with POST /chat/start.',
})

export const runNotFound = defineRefusal({
  status: 404,
  code: 'not_found',
  reason: () => 'This session has no such run. It may have ended some time ago; check streamId, or session and siteId.',
  extra: () => ({ status: 'not_found' }),
})

export const streamRunning = defineRefusal({
  status: 409,
  code: 'stream_running',
  reason: () => 'This stream is already open. To follow it as well, send the number of the last event that you have seen as afterSeq; 0 begins at its start.',
})

export const streamGone = defineRefusal({
  status: 410,
  code: 'stream_gone',
  reason: () => 'This stream no longer exists. Send the chat request to POST /chat/start again, and open the new stream within a minute.',
})

export const tooManyRunsOfSession = defineRefusal({
  status: 429,
  code: 'too_many_runs',
  reason: (limit: number) => `This session already has ${limit} chat requests in progress. Wait for one to end, or stop one with POST /chat/cancel.`,
  headers: () => ({ 'retry-after': '5' }),
})

export const tooManyRunsOfOne = defineRefusal({
  status: 429,
  code: 'too_many_runs',
  reason: (limit: number) => `You already have ${limit} chat requests in progress, by this token or from this address. Wait for one to end, or stop one with POST /chat/cancel.`,
  headers: () => ({ 'retry-after': '5' }),
})

export const tooManyRuns = defineRefusal({
  status: 429,
  code: 'too_many_runs',
  reason: (limit: number) => `${limit} chat requests are already in progress. Try again in a moment.`,
  headers: () => ({ 'retry-after': '5' }),
})

export const tooManyReaders = defineRefusal({
  status: 429,
  code: 'too_many_streams',
  reason: (limit: number) => `There are ${limit} open chat streams already. Close some, or try again later.`,
  headers: () => ({ 'retry-after': '30' }),
})

export const tooManyReadersOfOne = defineRefusal({
  status: 429,
  code: 'too_many_streams',
  reason: (limit: number) => `You have ${limit} open chat streams already, by this token or from this address. Close some, or try again later.`,
  headers: () => ({ 'retry-after': '30' }),
})
