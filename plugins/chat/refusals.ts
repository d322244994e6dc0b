import { defineRefusal } from '../../kernel/index.ts'
import { shortened } from './digest.ts'

export const messageRequired = defineRefusal({
  status: 400,
  code: 'invalid_request',
  reason: () => 'message is required: say in words what is to be changed',
  extra: () => ({ details: [{ path: 'message', message: 'message is required' }] }),
})

export const badAcceptedOps = defineRefusal({
  status: 400,
  code: 'invalid_request',
  reason: (why: string) => `acceptedOps ${why}. Send the numbers of the operations to apply, from 1, each once.`,
  extra: (why) => ({ details: [{ path: 'acceptedOps', message: why }] }),
})

export const foreignAttachment = defineRefusal({
  status: 400,
  code: 'invalid_request',
  reason: () => 'An attachment has an address that this service did not give. Upload the file with POST /attachment/upload, and send what that answers.',
  extra: () => ({ details: [{ path: 'attachments', message: 'has an address of elsewhere' }] }),
})

export const pageNotFound = defineRefusal({
  status: 404,
  code: 'not_found',
  reason: (slug: string, notice = '') =>
    `The draft has no page '${shortened(slug)}'. Open one that GET /draft/slugs lists, or ask for a new page. ${notice}`.trimEnd(),
})

export const blockNotFound = defineRefusal({
  status: 404,
  code: 'not_found',
  reason: () => 'The draft has no block with this activeBlockId. Select one that GET /draft/pages shows.',
})

export const noVariation = defineRefusal({
  status: 400,
  code: 'no_valid_variation',
  reason: (why: string) => why,
})

export const planNotFound = defineRefusal({
  status: 404,
  code: 'plan_not_found',
  reason: () => 'No such plan waits in this session: it was applied, dropped or replaced, or its hour is over. Ask for it again.',
})

export const otherPlan = defineRefusal({
  status: 409,
  code: 'pending_plan_mismatch',
  reason: () => 'Another plan waits by now, so nothing was discarded. GET /chat/plans shows which.',
})

export const noChain = defineRefusal({
  status: 409,
  code: 'no_chain',
  reason: () =>
    'There is nothing to continue: no request of this session is done in steps, which takes a language model, or its hour is over. Send the next step as a message.',
})

export const otherChain = defineRefusal({
  status: 409,
  code: 'chain_mismatch',
  reason: () => 'Another request is done in steps by now, so nothing was continued. Continue the one that the last result tells of.',
})

export const chainFinished = defineRefusal({
  status: 409,
  code: 'chain_finished',
  reason: (steps: number) => `All ${steps} steps of this request are done. Say what you would like to change next.`,
})

export const chainMoved = defineRefusal({
  status: 409,
  code: 'chain_moved',
  reason: () => 'The step was run meanwhile, so it was not run again. Look at what it changed, then continue.',
})

export const draftTooLarge = defineRefusal({
  status: 413,
  code: 'draft_too_large',
  reason: (limit: number) =>
    `The pages of this draft together are larger than ${limit} bytes, too much for a message. Change it by POST /ops, or raise maxDraftBytes of chat.`,
})

export const tooManyDrafts = defineRefusal({
  status: 429,
  code: 'too_many_large_drafts',
  reason: () => 'Messages to other large drafts are being worked on. Send this one again in a minute.',
  headers: () => ({ 'retry-after': '60' }),
})

export const sessionBusy = defineRefusal({
  status: 409,
  code: 'session_busy',
  reason: (seconds: number) =>
    `Another message of this session is still being worked on, after ${seconds} seconds. Wait until it is done, or cancel it, and send this one again.`,
})
