import { defineRefusal } from '../../../kernel/index.ts'

export const streamGone = defineRefusal({
  status: 410,
  code: 'stream_gone',
  reason: (prefix: string) =>
    `This stream no longer exists. Start again with POST /${prefix}/start, and open the new stream within two minutes.`,
})

export const notTheStarter = defineRefusal({
  status: 403,
  code: 'not_the_starter',
  reason: (prefix: string) =>
    `This is the id of a run, as in logs. Only its starter can follow, answer and cancel it: use the streamId that POST /${prefix}/start returned.`,
})

export const tooManyRuns = defineRefusal({
  status: 429,
  code: 'too_many_runs',
  reason: (prefix: string, limit: number) =>
    `${limit} runs are already active, or too many are waiting to be opened. Wait for one to end, or stop one with POST /${prefix}/cancel.`,
  headers: () => ({ 'retry-after': '5' }),
})

export const tooManyReaders = defineRefusal({
  status: 429,
  code: 'too_many_streams',
  reason: (limit: number) => `${limit} agent streams are already open. Close some, or try again later.`,
  headers: () => ({ 'retry-after': '30' }),
})

export const agentNotConfigured = defineRefusal({
  status: 501,
  code: 'agent_not_configured',
  reason: () =>
    'The agent has no model. Set AGENT_API_KEY, ANTHROPIC_API_KEY or OPENAI_API_KEY in the environment of the server, and restart it.',
})

export const agentKeyUnrecognized = defineRefusal({
  status: 500,
  code: 'agent_key_unrecognized',
  reason: () =>
    'AGENT_API_KEY is not a key of a known provider: Anthropic keys begin with sk-ant-, OpenAI keys with sk-. Check it in the environment of the server, and restart it.',
})

export const messageRequired = defineRefusal({
  status: 400,
  code: 'message_required',
  reason: () => 'message is required: describe the change in words.',
})

export const siteRequired = defineRefusal({
  status: 400,
  code: 'site_required',
  reason: () => 'siteId is required: the site whose draft is edited.',
})

export const streamRequired = defineRefusal({
  status: 400,
  code: 'stream_required',
  reason: (prefix: string) => `streamId is required: use the one that POST /${prefix}/start returned.`,
})
