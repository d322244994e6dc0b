import { defineRefusal } from '../../kernel/index.ts'

/** A refusal with only a reason. */
const refusal = <Details extends readonly unknown[]>(
  status: number,
  code: string,
  reason: (...details: Details) => string,
) => defineRefusal({ status, code, reason })

/** A refusal of one field of a request. */
const invalid = defineRefusal({
  status: 400,
  code: 'invalid_request',
  reason: (_path: string, _message: string, reason: string) => reason,
  extra: (path, message) => ({ details: [{ path, message }] }),
})

export const messageRequired = () =>
  invalid('message', 'message is required', 'message is required: describe the change')

export const badAcceptedOps = (why: string) =>
  invalid(
    'acceptedOps',
    why,
    `acceptedOps ${why}. Send the numbers of the operations to apply, from 1, each once.`,
  )

export const foreignAttachment = () =>
  invalid(
    'attachments',
    'has a foreign address',
    'An attachment has an address that this service did not issue. Upload the file with POST /attachment/upload, and send its answer.',
  )

const longest = 60

/** Shortens untrusted text for use in a sentence, without splitting a surrogate pair. */
const shortened = (text: string): string =>
  text.length > longest ? `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…` : text

export const pageNotFound = refusal(404, 'not_found', (slug: string, notice = '') =>
  `The draft has no page '${shortened(slug)}'. Open one of its pages, or ask for a new one. ${notice}`.trimEnd(),
)

export const blockNotFound = refusal(
  404,
  'not_found',
  () => 'The draft has no block with this activeBlockId. Select one that GET /draft/pages shows.',
)

export const noVariation = refusal(400, 'no_valid_variation', (why: string) => why)

export const canceled = refusal(
  503,
  'canceled',
  () => 'The request ended before the variations were written, or the service is closing. Ask again.',
)

export const planNotFound = refusal(
  404,
  'plan_not_found',
  (why = 'This plan is not pending: it was applied, dropped, replaced, or has expired after an hour.') =>
    `${why} Ask for it again.`,
)

export const otherPlan = refusal(
  409,
  'pending_plan_mismatch',
  () => 'Another plan is pending, so nothing was discarded. GET /chat/plans shows it.',
)

export const draftTooLarge = refusal(
  413,
  'draft_too_large',
  (limit: number) =>
    `The pages of this draft are larger than ${limit} bytes in total, too much for chat. Use POST /ops, or raise the chat option maxDraftBytes.`,
)

export const tooManyDrafts = defineRefusal({
  status: 429,
  code: 'too_many_large_drafts',
  reason: () => 'Messages for other large drafts are in progress. Try again in a minute.',
  headers: () => ({ 'retry-after': '60' }),
})

export const sessionBusy = refusal(
  409,
  'session_busy',
  (seconds: number) =>
    `Another message of this session is still in progress after ${seconds} seconds. Wait for it or cancel it, then try again.`,
)
