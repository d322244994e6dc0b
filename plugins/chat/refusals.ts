import { defineRefusal } from '../../kernel/index.ts'
import { shortened } from './digest.ts'

export const messageRequired = defineRefusal({
  status: 400,
  code: 'invalid_request',
  reason: () => 'message is required: describe the change',
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
  reason: () => 'An attachment has an address that this service did not issue. Upload the file with POST /attachment/upload, and send its answer.',
  extra: () => ({ details: [{ path: 'attachments', message: 'has a foreign address' }] }),
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

export const canceled = defineRefusal({
  status: 503,
  code: 'canceled',
  reason: () => 'The request ended before the variations were written, or the service is closing. Ask again.',
})

export const planNotFound = defineRefusal({
  status: 404,
  code: 'plan_not_found',
  reason: () => 'This plan is not pending: it was applied, dropped, replaced, or has expired after an hour. Ask for it again.',
})

export const otherPlan = defineRefusal({
  status: 409,
  code: 'pending_plan_mismatch',
  reason: () => 'Another plan is pending, so nothing was discarded. GET /chat/plans shows it.',
})

export const noChain = defineRefusal({
  status: 409,
  code: 'no_chain',
  reason: () =>
    'There is nothing to continue: this session has no request in several steps, which needs a language model, or it has expired after an hour. Send the next step as a message.',
})

export const otherChain = defineRefusal({
  status: 409,
  code: 'chain_mismatch',
  reason: () => 'The session has another request in several steps, so nothing was continued. Use the chain id of the last result.',
})

export const chainFinished = defineRefusal({
  status: 409,
  code: 'chain_finished',
  reason: (steps: number) => `All ${steps} steps of this request are done. Send the next change as a message.`,
})

export const chainMoved = defineRefusal({
  status: 409,
  code: 'chain_moved',
  reason: () => 'The step was run meanwhile, so it was not run again. Review what it changed, then continue.',
})

export const draftTooLarge = defineRefusal({
  status: 413,
  code: 'draft_too_large',
  reason: (limit: number) =>
    `The pages of this draft are larger than ${limit} bytes in total, too much for chat. Use POST /ops, or raise the chat option maxDraftBytes.`,
})

export const tooManyDrafts = defineRefusal({
  status: 429,
  code: 'too_many_large_drafts',
  reason: () => 'Messages for other large drafts are in progress. Try again in a minute.',
  headers: () => ({ 'retry-after': '60' }),
})

export const sessionBusy = defineRefusal({
  status: 409,
  code: 'session_busy',
  reason: (seconds: number) =>
    `Another message of this session is still in progress after ${seconds} seconds. Wait for it or cancel it, then try again.`,
})
