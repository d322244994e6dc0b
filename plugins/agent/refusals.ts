import { defineRefusal } from '../../kernel/index.ts'

export const streamGone = defineRefusal({
  status: 410,
  code: 'stream_gone',
  reason: (prefix: string) => `This stream is not there any more. Start again with POST /${prefix}/start, and open the new stream within two minutes.`,
})

export const tooManyRuns = defineRefusal({
  status: 429,
  code: 'too_many_runs',
  reason: (prefix: string, limit: number) => `${limit} runs are under way already, or too many wait for a reader. Wait for one to end, or stop one with POST /${prefix}/cancel.`,
  headers: () => ({ 'retry-after': '5' }),
})

export const tooManyReaders = defineRefusal({
  status: 429,
  code: 'too_many_streams',
  reason: (limit: number) => `There are ${limit} open streams of agents already. Close some, or try again later.`,
  headers: () => ({ 'retry-after': '30' }),
})

export const agentNotConfigured = defineRefusal({
  status: 501,
  code: 'agent_not_configured',
  reason: () => 'The agent has no model. Set AGENT_API_KEY to a key of Anthropic or OpenAI in the environment of the server, and restart it.',
})

export const agentKeyUnrecognized = defineRefusal({
  status: 500,
  code: 'agent_key_unrecognized',
  reason: () => 'AGENT_API_KEY is no key of a known provider: those of Anthropic begin with sk-ant-, those of OpenAI with sk-. Check it in the environment of the server, and restart it.',
})

export const messageRequired = defineRefusal({
  status: 400,
  code: 'message_required',
  reason: () => 'message is required: what should change, in words.',
})

export const siteRequired = defineRefusal({
  status: 400,
  code: 'site_required',
  reason: () => 'siteId is required: the site whose draft is edited.',
})

export const streamRequired = defineRefusal({
  status: 400,
  code: 'stream_required',
  reason: () => 'streamId is required. Send the request to POST /agent/start, and name the streamId that it answers.',
})
