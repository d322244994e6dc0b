import { defineRefusal } from '../../kernel/index.ts'

export const streamIdMissing = defineRefusal({
  status: 400,
  code: 'stream_id_missing',
  reason: () => 'streamId is required. Send the chat request to POST /chat/start, and open the stream with the streamId that it answers.',
})

export const originDiffers = defineRefusal({
  status: 403,
  code: 'origin_differs',
  reason: () => 'This stream was started by a page of another origin. Open it from there, or start one of your own with POST /chat/start.',
})

export const runNotFound = defineRefusal({
  status: 404,
  code: 'not_found',
  reason: () => 'There is no such run in this session. It may have ended some time ago; check streamId, or session and siteId.',
  extra: () => ({ status: 'not_found' }),
})

export const streamRunning = defineRefusal({
  status: 409,
  code: 'stream_running',
  reason: () => 'This stream is open already. Name the last event that you have seen in afterSeq to follow it as well; 0 begins at its start.',
})

export const streamGone = defineRefusal({
  status: 410,
  code: 'stream_gone',
  reason: () => 'This stream is not there any more. Send the chat request to POST /chat/start again, and open the new stream within a minute.',
})

export const tooManyRunsOfSession = defineRefusal({
  status: 429,
  code: 'too_many_runs',
  reason: (limit: number) => `${limit} chat requests of this session are under way already. Wait for one to end, or stop one with POST /chat/cancel.`,
  headers: () => ({ 'retry-after': '5' }),
})

export const tooManyRunsOfOne = defineRefusal({
  status: 429,
  code: 'too_many_runs',
  reason: (limit: number) => `${limit} of your chat requests are under way already, by this token or from this address. Wait for one to end, or stop one with POST /chat/cancel.`,
  headers: () => ({ 'retry-after': '5' }),
})

export const tooManyRuns = defineRefusal({
  status: 429,
  code: 'too_many_runs',
  reason: (limit: number) => `${limit} chat requests are under way already. Try again in a moment.`,
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
